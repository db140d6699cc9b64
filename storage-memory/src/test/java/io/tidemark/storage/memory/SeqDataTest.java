package io.tidemark.storage.memory;

import static io.tidemark.storage.memory.Fixture.APP;
import static io.tidemark.storage.memory.Fixture.SEQ;
import static io.tidemark.storage.memory.Fixture.WS;
import static io.tidemark.storage.memory.Fixture.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.SeqValues;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SeqDataTest {
  private final MemoryStore store = new MemoryStore();
  private final IAppStorage app = store.open(APP, Layout.of(4));
  private final IPartitionStorage partition = app.claim(3, "test");

  private long number(int seqId) {
    return partition.readNumbers(WS, new int[] {seqId})[0];
  }

  @Test
  @Tag("S-6")
  void nextOffset_ofFreshPartition_isOne() {
    assertThat(partition.readNextPLogOffset()).isEqualTo(1);
  }

  @Test
  @Tag("S-4")
  void readNumbers_ofSomeStoredIds_answersInTheOrderAskedAndZeroForAbsent() {
    partition.writeValuesAndOffset(
        new SeqValues().add(WS, 300, 30).add(WS, 256, 25).add(8, 256, 99), 2);

    assertThat(partition.readNumbers(WS, new int[] {300, 301, 256, 300}))
        .containsExactly(30, 0, 25, 30);
    assertThat(partition.readNumbers(WS, new int[0])).isEmpty();
    assertThat(partition.readNumbers(12345, new int[] {256})).containsExactly(0);
  }

  @Test
  @Tag("S-5")
  void readNumbers_throughAnotherConnection_seesTheWrite() {
    partition.writeValuesAndOffset(values(5), 2);

    IPartitionStorage elsewhere = store.open(APP, null).claim(3, "other");
    assertThat(elsewhere.readNumbers(WS, new int[] {SEQ})).containsExactly(5);
    assertThat(elsewhere.readNextPLogOffset()).isEqualTo(2);
  }

  @Test
  @Tag("S-8")
  void write_ofLowerNumberOrOffset_changesNothing() {
    partition.writeValuesAndOffset(values(100), 8);
    partition.writeValuesAndOffset(values(5), 9);
    partition.writeValuesAndOffset(values(101), 3);

    assertThat(number(SEQ)).isEqualTo(101);
    assertThat(partition.readNextPLogOffset()).isEqualTo(9);
  }

  @Test
  @Tag("S-9")
  void write_ofEmptyBatch_movesTheOffset() {
    partition.writeValuesAndOffset(new SeqValues(), 4);

    assertThat(partition.readNextPLogOffset()).isEqualTo(4);
  }

  @Test
  void write_thenReuseOfTheBatch_keepsWhatWasWritten() {
    store.script(Outcome.DUPLICATED);
    SeqValues batch = values(5);
    partition.writeValuesAndOffset(batch, 2);
    batch.clear();
    batch.add(WS, SEQ, 1000);
    store.deliverLate();

    assertThat(number(SEQ)).isEqualTo(5);
  }

  @Test
  void write_ofOffsetBelowOne_isRefused() {
    assertThatThrownBy(() -> partition.writeValuesAndOffset(values(5), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nextOffset must be >= 1, was 0");
    assertThat(number(SEQ)).isZero();
  }

  @Test
  @Tag("S-7")
  @Tag("S-10")
  void writeSeqData_ofManyPartitions_writesEach() {
    IPartitionStorage other = app.claim(0, "test");
    app.writeSeqData(
        List.of(
            new SeqDataBatch(partition, values(5), 2),
            new SeqDataBatch(other, new SeqValues().add(8, SEQ, 6), 3)));

    assertThat(number(SEQ)).isEqualTo(5);
    assertThat(partition.readNextPLogOffset()).isEqualTo(2);
    assertThat(other.readNumbers(8, new int[] {SEQ})).containsExactly(6);
    assertThat(other.readNextPLogOffset()).isEqualTo(3);
  }

  @Test
  @Tag("S-10")
  void writeSeqData_thatIsRefused_isOneCallThatWritesNothing() {
    IPartitionStorage other = app.claim(0, "test");
    store.outcomes().script(StorageCall.WRITE_SEQ_DATA, Outcome.REFUSED);
    List<SeqDataBatch> batches =
        List.of(new SeqDataBatch(partition, values(5), 2), new SeqDataBatch(other, values(6), 3));

    assertThatThrownBy(() -> app.writeSeqData(batches))
        .isInstanceOf(StorageUnavailableException.class);
    assertThat(number(SEQ)).isZero();
    app.writeSeqData(batches);
    assertThat(number(SEQ)).isEqualTo(5);
  }

  @Test
  @Tag("S-10")
  void writeSeqData_ofAnotherConnectionsHandle_stillWrites() {
    IPartitionStorage elsewhere = store.open(APP, null).claim(1, "other");
    app.writeSeqData(List.of(new SeqDataBatch(elsewhere, new SeqValues().add(9, SEQ, 4), 2)));

    assertThat(elsewhere.readNumbers(9, new int[] {SEQ})).containsExactly(4);
  }

  @Test
  void scanNumbers_ofManyPages_visitsEachNumberOnce() {
    SeqValues batch = new SeqValues();
    for (int wsid = 0; wsid < 3 * Table.PAGE + 1; wsid++) {
      batch.add(wsid, 300, wsid + 1).add(wsid, 256, 1);
    }
    partition.writeValuesAndOffset(batch, 2);

    List<Long> seen = new ArrayList<>();
    app.reader(3)
        .scanNumbers(
            (wsid, seqId, number) -> {
              assertThat(number).isEqualTo(seqId == 300 ? wsid + 1 : 1);
              return seen.add(wsid * 1000 + seqId);
            });
    assertThat(seen).hasSize(batch.size()).doesNotHaveDuplicates();
  }

  @Test
  @Tag("S-1")
  void writes_ofManyThreads_keepTheHighestOfEach_stochastic() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Void>> writers = new ArrayList<>();
      for (int writer = 0; writer < 4; writer++) {
        int first = writer;
        writers.add(
            () -> {
              for (int i = first; i < 2000; i += 4) {
                partition.writeValuesAndOffset(
                    new SeqValues().add(i % 50, SEQ, i + 1).add(i % 7, 257, i + 1), i + 1);
                partition.readNumbers(i % 50, new int[] {SEQ, 257});
              }
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(writers)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(partition.readNextPLogOffset()).isEqualTo(2000);
    for (int wsid = 0; wsid < 50; wsid++) {
      assertThat(partition.readNumbers(wsid, new int[] {SEQ})).containsExactly(1951 + wsid);
    }
  }
}
