package io.tidemark.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.StorageCorruptedException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

@Tag("L-16")
final class EventCodecTest {

  @Provide
  Arbitrary<PLogEvent> events() {
    Arbitrary<SequenceTouch> touches =
        Combinators.combine(
                Arbitraries.integers().between(1, 65535),
                Arbitraries.longs().greaterOrEqual(0),
                Arbitraries.longs().greaterOrEqual(1),
                Arbitraries.of(true, false))
            .as(SequenceTouch::new);
    Arbitrary<EventHeader> headers =
        Combinators.combine(
                Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(UUID::new),
                Arbitraries.longs().greaterOrEqual(1),
                Arbitraries.longs(),
                Arbitraries.integers().between(1, 65535),
                Arbitraries.longs().greaterOrEqual(0),
                Arbitraries.of(true, false),
                touches.list().ofMaxSize(20))
            .as(EventHeader::new);
    return Combinators.combine(
            Arbitraries.longs().greaterOrEqual(1),
            headers,
            Arbitraries.bytes().array(byte[].class).ofMaxSize(200))
        .as(PLogEvent::new);
  }

  @Property
  void fromBytes_ofWhatToBytesWrote_isTheSame(@ForAll("events") PLogEvent event) {
    byte[] stored = event.toBytes();
    assertThat(PLogEvent.fromBytes(event.offset(), stored)).isEqualTo(event);
    assertThat((long) stored.length).isLessThanOrEqualTo(event.size());
  }

  @Property
  void fromBytes_ofChangedBytes_isCorrupted(
      @ForAll("events") PLogEvent event,
      @ForAll int place,
      @ForAll @IntRange(min = 1, max = 255) int flip) {
    byte[] stored = event.toBytes();
    stored[Math.floorMod(place, stored.length)] ^= (byte) flip;
    assertCorrupted(event.offset(), stored);
  }

  @Property
  void fromBytes_ofCutBytes_isCorrupted(@ForAll("events") PLogEvent event, @ForAll int length) {
    byte[] stored = event.toBytes();
    assertCorrupted(event.offset(), Arrays.copyOf(stored, Math.floorMod(length, stored.length)));
  }

  @Property
  void fromBytes_ofRandomBytes_isCorrupted(@ForAll @Size(max = 300) byte[] bytes) {
    assertCorrupted(1, bytes);
  }

  @Property
  void fromBytes_atAnotherOffset_isCorrupted(@ForAll("events") PLogEvent event) {
    long other = event.offset() == 1 ? 2 : event.offset() - 1;
    assertCorrupted(other, event.toBytes());
  }

  @Example
  void fromBytes_ofANewerVersion_namesIt() {
    EventHeader header = new EventHeader(new UUID(1, 2), 1, 7, 1, 1, false, List.of());
    byte[] stored = new PLogEvent(1, header, new byte[0]).toBytes();
    stored[0] = 2;
    assertThatThrownBy(() -> PLogEvent.fromBytes(1, stored))
        .isInstanceOf(StorageCorruptedException.class)
        .hasMessageContaining("format version 2");
  }

  private static void assertCorrupted(long offset, byte[] stored) {
    assertThatThrownBy(() -> PLogEvent.fromBytes(offset, stored))
        .isInstanceOf(StorageCorruptedException.class)
        .hasMessageStartingWith("PLog offset " + offset + " is not a readable event");
  }
}
