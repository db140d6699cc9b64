package io.tidemark.storage.foundationdb;

import static io.tidemark.storage.foundationdb.Fixture.APP;
import static io.tidemark.storage.foundationdb.Fixture.SEQ;
import static io.tidemark.storage.foundationdb.Fixture.WS;
import static io.tidemark.storage.foundationdb.Fixture.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.SeqValues;
import io.tidemark.storage.foundationdb.simulated.SimulatedCluster;
import io.tidemark.storage.foundationdb.simulated.SimulatedFaults.CommitFault;
import io.tidemark.storage.foundationdb.simulated.SimulatedFaults.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SeqDataTest {
  private final SimulatedCluster simulation = new SimulatedCluster();
  private final TestCluster cluster = TestCluster.simulated(simulation);
  private final IAppStorage app = cluster.open(APP, Layout.of(4));
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

    IPartitionStorage elsewhere = cluster.open(APP, null).claim(3, "other");
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
  void writeSeqData_ofAnotherConnectionsHandle_stillWrites() {
    IPartitionStorage elsewhere = cluster.open(APP, null).claim(1, "other");
    app.writeSeqData(List.of(new SeqDataBatch(elsewhere, new SeqValues().add(9, SEQ, 4), 2)));

    assertThat(elsewhere.readNumbers(9, new int[] {SEQ})).containsExactly(4);
  }

  @Test
  void scanNumbers_ofManyPages_visitsEachNumberOnce() {
    SeqValues batch = new SeqValues();
    for (int wsid = 0; wsid < 900; wsid++) {
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

  @Test
  @Tag("S-10")
  void writeSeqData_ofManyPartitions_takesAsFewTransactionsAsTheLimitsAllow() {
    IAppStorage wide = cluster.open("wide", Layout.of(40));
    List<SeqDataBatch> batches = new ArrayList<>();
    for (int number = 0; number < 40; number++) {
      SeqValues batch = new SeqValues();
      for (int i = 0; i < 100; i++) {
        batch.add(number + 40L * i, SEQ, i + 1);
      }
      batches.add(new SeqDataBatch(wide.claim(number, "test"), batch, 200));
    }
    long before = simulation.commits();
    wide.writeSeqData(batches);

    assertThat(simulation.commits() - before)
        .as("4040 rows of about 700 bytes at most, 1 MB each")
        .isBetween(2L, 4L);
    for (int number = 0; number < 40; number++) {
      assertThat(wide.reader(number).readNextPLogOffset()).isEqualTo(200);
      assertThat(wide.reader(number).readNumbers(number + 40L * 99, new int[] {SEQ}))
          .containsExactly(100);
    }
  }

  @Test
  @Tag("S-7")
  void write_thatNeedsSeveralTransactions_storesTheOffsetWithTheLast() {
    SeqValues batch = new SeqValues();
    for (int i = 0; i < 4_000; i++) {
      batch.add(i, SEQ, i + 1);
    }
    simulation
        .faults()
        .commits(new CommitFault(1021, Fate.APPLIED), new CommitFault(1031, Fate.LOST));
    assertThatThrownBy(() -> partition.writeValuesAndOffset(batch, 500))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(partition.readNumbers(0, new int[] {SEQ})).as("a first part").containsExactly(1);
    assertThat(partition.readNextPLogOffset()).isEqualTo(1);
    simulation.faults().stop();
    partition.writeValuesAndOffset(batch, 500);
    assertThat(partition.readNextPLogOffset()).isEqualTo(500);
    assertThat(partition.readNumbers(3_999, new int[] {SEQ})).containsExactly(4_000);
  }

  @Test
  void write_ofANegativeNumber_isRefusedAndZeroIsAbsent() {
    assertThatThrownBy(() -> partition.writeValuesAndOffset(values(-1), 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("number must be >= 0, was -1");
    partition.writeValuesAndOffset(values(0), 2);
    List<Long> seen = new ArrayList<>();
    app.reader(3).scanNumbers((wsid, seqId, number) -> seen.add(number));
    assertThat(seen).isEmpty();
  }

  @Test
  @Tag("S-8")
  void writes_ofNumbers_conflictWithNobody() {
    long before = simulation.conflicts();
    try (Transaction reading = cluster.database().createTransaction();
        Transaction writing = cluster.database().createTransaction()) {
      byte[] key = new Keys(cluster.config().prefix(), APP).partition(3).number(1, WS, SEQ);
      writing.getReadVersion().join();
      partition.writeValuesAndOffset(values(5), 2);
      writing.mutate(MutationType.BYTE_MAX, key, MetaCodec.number(7));
      writing.commit().join();
      assertThat(reading.get(key).join()).isEqualTo(MetaCodec.number(7));
    }
    assertThat(simulation.conflicts()).isEqualTo(before);
  }
}
