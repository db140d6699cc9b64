package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.api.StorageCorruptedException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

@Tag("P-14")
final class EventCodecTest {

  @Property(tries = 300)
  void content_writtenAndRead_isTheSame(@ForAll("contents") EventContent content) {
    assertThat(EventContent.fromBytes(content.toBytes())).isEqualTo(content);
  }

  @Property(tries = 300)
  void record_writtenAndRead_isTheSame(@ForAll("fields") Fields fields) {
    StoredRecord record = new StoredRecord(Shop.ORDER, fields);
    assertThat(StoredRecord.fromBytes(record.toBytes())).isEqualTo(record);
  }

  @Property(tries = 500)
  void garbage_isCorruption(@ForAll byte[] bytes) {
    assertThatExceptionOfType(StorageCorruptedException.class)
        .isThrownBy(() -> EventContent.fromBytes(bytes));
    assertThatExceptionOfType(StorageCorruptedException.class)
        .isThrownBy(() -> StoredRecord.fromBytes(bytes));
  }

  @Property(tries = 2000)
  void garbageWithARightChecksum_isReadOrCorruption(@ForAll byte[] content) {
    byte[] bytes = new byte[ByteWriter.CHECKED_FROM + content.length];
    bytes[0] = 1;
    System.arraycopy(content, 0, bytes, ByteWriter.CHECKED_FROM, content.length);
    seal(bytes);
    readOrCorruption(bytes);
  }

  @Property(tries = 2000)
  void contentWithAChangedByte_andARightChecksum_isReadOrCorruption(
      @ForAll("contents") EventContent content, @ForAll int where, @ForAll byte what) {
    byte[] bytes = content.toBytes();
    int free = bytes.length - ByteWriter.CHECKED_FROM;
    bytes[ByteWriter.CHECKED_FROM + Math.floorMod(where, free)] = what;
    seal(bytes);
    readOrCorruption(bytes);
  }

  @Property(tries = 300)
  void content_withAnyBitFlipped_isCorruption(
      @ForAll("contents") EventContent content, @ForAll int bit) {
    byte[] bytes = content.toBytes();
    int flipped = Math.floorMod(bit, bytes.length * 8);
    bytes[flipped / 8] ^= (byte) (1 << flipped % 8);
    assertThatExceptionOfType(StorageCorruptedException.class)
        .isThrownBy(() -> EventContent.fromBytes(bytes));
  }

  @Example
  void argument_tenThousandDeep_isWrittenAndRead() {
    ArgumentObject deep = ArgumentObject.of(Shop.LINE, 1);
    for (int i = 0; i < 10_000; i++) {
      deep = ArgumentObject.of(Shop.LINE, 1).with(deep);
    }
    byte[] bytes = new EventContent("deep", List.of(), deep).toBytes();
    assertThat(EventContent.fromBytes(bytes).toBytes()).isEqualTo(bytes);
  }

  @Example
  void newerVersion_isRefused_notGuessed() {
    byte[] bytes = new EventContent("a", List.of(), null).toBytes();
    bytes[0] = 2;
    assertThatExceptionOfType(StorageCorruptedException.class)
        .isThrownBy(() -> EventContent.fromBytes(bytes))
        .withMessageContaining("version 2");
  }

  private static void seal(byte[] bytes) {
    ByteBuffer.wrap(bytes).putInt(1, ByteWriter.checksum(bytes));
  }

  private static void readOrCorruption(byte[] bytes) {
    try {
      EventContent read = EventContent.fromBytes(bytes);
      assertThat(EventContent.fromBytes(read.toBytes())).isEqualTo(read);
    } catch (StorageCorruptedException expected) {
      assertThat(expected).hasMessageContaining("not readable");
    }
  }

  @Provide
  Arbitrary<EventContent> contents() {
    Arbitrary<Cud> cuds =
        Combinators.combine(
                Arbitraries.of(Shop.CUSTOMER, Shop.ORDER),
                Arbitraries.longs().between(1, Long.MAX_VALUE),
                Arbitraries.of(true, false),
                fields())
            .as(Cud::new);
    return Combinators.combine(
            Arbitraries.strings().ofMaxLength(10),
            cuds.list().ofMaxSize(3),
            objects(3).injectNull(0.3))
        .as(EventContent::new);
  }

  private Arbitrary<ArgumentObject> objects(@IntRange int depth) {
    Arbitrary<List<ArgumentObject>> children =
        depth == 0 ? Arbitraries.just(List.of()) : objects(depth - 1).list().ofMaxSize(3);
    return Combinators.combine(
            Arbitraries.of(Shop.LINES, Shop.LINE),
            Arbitraries.longs().between(1, Long.MAX_VALUE),
            fields(),
            children)
        .as(ArgumentObject::new);
  }

  @Provide
  Arbitrary<Fields> fields() {
    Arbitrary<Object> values =
        Arbitraries.oneOf(
            Arbitraries.longs().asGeneric(),
            Arbitraries.doubles().asGeneric(),
            Arbitraries.strings().ofMaxLength(20).asGeneric(),
            Arbitraries.of(true, false).asGeneric(),
            Arbitraries.bytes().array(byte[].class).ofMaxSize(10).asGeneric(),
            Arbitraries.longs().between(1, Long.MAX_VALUE).map(Ref::new).asGeneric(),
            Arbitraries.longs().between(1, Long.MAX_VALUE).map(n -> new Drawn(256, n)).asGeneric());
    return values
        .list()
        .ofMaxSize(4)
        .map(
            list -> {
              List<Object> all = new ArrayList<>();
              list.forEach(
                  value -> {
                    all.add("f" + all.size());
                    all.add(value);
                  });
              return Fields.of(all.toArray());
            });
  }
}
