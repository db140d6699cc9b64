package io.tidemark.storage.cassandra;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.storage.cassandra.Fixture.event;
import static io.tidemark.storage.cassandra.Fixture.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.BucketSize;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SeqValues;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SeqDataTest {
  private CassandraAppStorage app;
  private IPartitionStorage handle;

  @BeforeEach
  void open() {
    app = (CassandraAppStorage) Fixture.open(TrustLevel.LEVEL_0);
    handle = app.claim(0, "first");
  }

  @AfterEach
  void close() {
    app.close();
  }

  @Test
  @Tag("S-7")
  void write_ofThousandsOfValues_isReadBack() {
    SeqValues many = new SeqValues();
    for (int i = 0; i < 3000; i++) {
      many.add(2L * i, Fixture.SEQ, i + 1);
    }

    handle.writeValuesAndOffset(many, 9);

    List<Long> seen = new ArrayList<>();
    app.reader(0).scanNumbers((wsid, seqId, number) -> seen.add(number));
    assertThat(seen).hasSize(3000).doesNotHaveDuplicates();
    assertThat(handle.readNumbers(2L * 2999, new int[] {Fixture.SEQ})).containsExactly(3000);
    assertThat(handle.readNextPLogOffset()).isEqualTo(9);
  }

  @Test
  @Tag("F-8")
  void flush_intoADeletedGeneration_isGoneAtOnce() {
    handle.writeValuesAndOffset(values(90), 91);
    IPartitionStorage next = app.claim(0, "second");
    ISeqGeneration built = next.rebuild();
    built.write(values(10), 11);
    built.activate();

    handle.writeValuesAndOffset(values(95), 96);

    assertThat(app.numbers().read(0, 1, Fixture.WS, new int[] {Fixture.SEQ}))
        .as("the deleted generation's rows")
        .containsExactly(0);
    assertThat(app.numbers().readNextOffset(0, 1)).isEqualTo(1);
    assertThatThrownBy(() -> handle.readNumbers(Fixture.WS, new int[] {Fixture.SEQ}))
        .isInstanceOf(FencedException.class);
    assertThat(app.reader(0).readNumbers(Fixture.WS, new int[] {Fixture.SEQ})).containsExactly(10);
  }

  @Test
  @Tag("S-12")
  void activate_repeated_isSuccess() {
    ISeqGeneration built = handle.rebuild();
    built.write(values(10), 11);
    built.activate();
    built.activate();

    assertThat(app.reader(0).info().generation()).isEqualTo(built.generation());
    assertThat(handle.rebuild().generation()).isGreaterThan(built.generation());
  }

  @Test
  void bucketSizes_ofAPartition_countRowsAndEstimateBytes() {
    SeqValues many = new SeqValues();
    for (int i = 0; i < 50; i++) {
      many.add(2L * i, Fixture.SEQ, i + 1);
    }
    handle.writeValuesAndOffset(many, 2);
    for (long offset = 1; offset <= Fixture.BUCKET + 1; offset++) {
      handle.append(List.of(event(offset, offset, "x".repeat(1000))), INSERT_IF_NOT_EXISTS);
    }

    List<BucketSize> sizes = app.reader(0).bucketSizes();

    assertThat(sizes).allMatch(size -> size.limitBytes() == 20L << 20);
    List<BucketSize> numbers =
        sizes.stream().filter(size -> size.name().startsWith("SeqData")).toList();
    assertThat(numbers).hasSize(app.layout().seqDataBuckets());
    assertThat(numbers.stream().mapToLong(BucketSize::rows).sum()).isEqualTo(50);
    assertThat(numbers.stream().mapToLong(BucketSize::bytes).sum()).isEqualTo(50 * 27);
    List<BucketSize> log = sizes.stream().filter(size -> size.name().startsWith("PLog")).toList();
    assertThat(log).extracting(BucketSize::rows).containsExactly((long) Fixture.BUCKET, 1L);
    assertThat(log.get(0).bytes()).isBetween(1000L * Fixture.BUCKET, 1200L * Fixture.BUCKET);
  }

  @Test
  @Tag("L-1")
  void replay_ofLargeEvents_readsPagesOfAboutAMegabyte() {
    CassandraAppStorage wide =
        (CassandraAppStorage) Fixture.open(Fixture.newApplication(), new Layout(1, 1000, 1, null));
    IPartitionStorage owner = wide.claim(0, "me");
    String payload = "x".repeat(100_000);
    for (long offset = 1; offset <= 70; offset++) {
      owner.append(List.of(event(offset, offset, payload)), INSERT_IF_NOT_EXISTS);
    }
    RecordingLog log = new RecordingLog(wide.log(0));
    List<Long> seen = new ArrayList<>();

    new CassandraLogReader(wide, log, 0).readPLog(1, (PLogEvent e) -> seen.add(e.offset()));

    assertThat(seen).hasSize(70);
    assertThat(log.limits.subList(1, log.limits.size()))
        .as("rows a page, once the first has shown how large they are")
        .isNotEmpty()
        .allMatch(rows -> rows >= 1 && rows <= 11);
    wide.close();
  }

  /** Counts the rows asked for. */
  private record RecordingLog(PartitionLog inner, List<Integer> limits) implements PartitionLog {
    RecordingLog(PartitionLog inner) {
      this(inner, new ArrayList<>());
    }

    @Override
    public long end(Meta meta) {
      return inner.end(meta);
    }

    @Override
    public List<EventRow> page(long from, long to, int limit) {
      limits.add(limit);
      return inner.page(from, to, limit);
    }

    @Override
    public long endToStore(Meta meta) {
      return inner.endToStore(meta);
    }

    @Override
    public Meta decided(Meta meta) {
      return inner.decided(meta);
    }

    @Override
    public void fence(long bucket, Epoch epoch) {
      inner.fence(bucket, epoch);
    }

    @Override
    public Appender appender(Meta claimed) {
      return inner.appender(claimed);
    }
  }
}
