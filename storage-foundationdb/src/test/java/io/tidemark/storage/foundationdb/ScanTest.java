package io.tidemark.storage.foundationdb;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.storage.foundationdb.Fixture.APP;
import static io.tidemark.storage.foundationdb.Fixture.WS;
import static io.tidemark.storage.foundationdb.Fixture.event;
import static io.tidemark.storage.foundationdb.Fixture.group;
import static io.tidemark.storage.foundationdb.Fixture.plog;
import static io.tidemark.storage.foundationdb.Fixture.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SeqValues;
import io.tidemark.storage.foundationdb.simulated.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Long reads: continued in new transactions, by size and by time. */
class ScanTest {
  private final SimulatedCluster simulation = new SimulatedCluster();
  private final TestCluster cluster = TestCluster.simulated(simulation);
  private final IAppStorage app = cluster.open(APP, Layout.of(1));
  private final IPartitionStorage partition = app.claim(0, "test");

  @Test
  @Tag("L-1")
  void readPLog_ofManyMegabytes_readsAboutOneInEachTransaction() {
    List<PLogEvent> events = new ArrayList<>();
    for (int offset = 1; offset <= 20; offset++) {
      events.add(event(offset, offset, Integer.toString(offset % 10).repeat(240_000)));
      partition.append(List.of(events.get(offset - 1)), INSERT_IF_NOT_EXISTS);
    }
    long before = simulation.transactions();

    assertThat(plog(partition)).isEqualTo(events);
    assertThat(simulation.transactions() - before)
        .as("one for the end of the log, then 5 events of 240 kB each")
        .isEqualTo(1 + 4);
  }

  @Test
  @Tag("L-1")
  void readPLog_fromASlowCluster_neverReadsUntilATransactionIsTooOld() {
    List<PLogEvent> events = group(1, 100);
    partition.append(events, INSERT_IF_NOT_EXISTS);
    simulation.rangeDelay(Duration.ofMillis(900));
    long before = simulation.nanoTime();
    long transactions = simulation.transactions();

    assertThat(plog(partition)).isEqualTo(events);
    assertThat(Duration.ofNanos(simulation.nanoTime() - before))
        .isGreaterThan(Duration.ofSeconds(2));
    assertThat(simulation.transactions() - transactions).isGreaterThan(2);
  }

  @Test
  void readPLog_whoseVisitorIsSlow_isNotDisturbed() {
    partition.append(group(1, 3), INSERT_IF_NOT_EXISTS);
    List<PLogEvent> seen = new ArrayList<>();
    partition.readPLog(
        1,
        event -> {
          simulation.advance(Duration.ofSeconds(30));
          return seen.add(event);
        });
    assertThat(seen).hasSize(3);
  }

  @Test
  void readPLog_whosePageIsCutByAnError_readsThePageAgain() {
    partition.append(group(1, 50), INSERT_IF_NOT_EXISTS);
    simulation.faults().reads(1037, 1007, 1009, 1039, 1007);

    assertThat(plog(partition)).hasSize(50);
  }

  @Test
  void readPLog_thatLosesItsTailMeanwhile_doesNotReturnNormally() {
    String large = "x".repeat(240_000);
    for (int offset = 1; offset <= 8; offset++) {
      partition.append(List.of(event(offset, offset, large)), INSERT_IF_NOT_EXISTS);
    }
    assertThatThrownBy(
            () ->
                partition.readPLog(
                    1,
                    event -> {
                      for (int offset = 5; offset <= 8; offset++) {
                        cluster.rows().removePLog(APP, 0, offset);
                      }
                      return true;
                    }))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("lost PLog offset 6 while it was read");
  }

  @Test
  @Tag("L-3")
  void readPLog_ofAnEventWithoutOneOfItsChunks_isCorrupted() {
    partition.append(List.of(event(1, 1, "x".repeat(240_000))), INSERT_IF_NOT_EXISTS);
    byte[] second = new Keys(cluster.config().prefix(), APP).partition(0).plog(1).pack(1);
    cluster
        .database()
        .run(
            transaction -> {
              transaction.clear(second);
              return true;
            });

    assertThatThrownBy(() -> plog(partition))
        .isInstanceOf(StorageCorruptedException.class)
        .hasMessageContaining("lacks its chunk 1");
  }

  @Test
  void scanRecords_ofManyMegabytes_visitsEachOnce() {
    List<RecordRow> rows = new ArrayList<>();
    for (int id = 1; id <= 30; id++) {
      rows.add(new RecordRow(WS, id, 1, false, new byte[100_000 + id]));
    }
    partition.putRecords(rows, WriteMode.PUT);
    List<RecordRow> seen = new ArrayList<>();
    app.reader(0).scanRecords(seen::add);

    assertThat(seen).containsExactlyInAnyOrderElementsOf(rows);
  }

  @Test
  void scanNumbers_thatAreRebuiltMeanwhile_doesNotMixGenerations() {
    SeqValues batch = new SeqValues();
    for (int wsid = 0; wsid < 40_000; wsid++) {
      batch.add(wsid, 256, 1);
    }
    partition.writeValuesAndOffset(batch, 2);
    ISeqGeneration next = partition.rebuild();
    next.write(values(5), 2);
    boolean[] rebuilt = {false};

    assertThatThrownBy(
            () ->
                app.reader(0)
                    .scanNumbers(
                        (wsid, seqId, number) -> {
                          if (!rebuilt[0]) {
                            rebuilt[0] = true;
                            next.activate();
                          }
                          return true;
                        }))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("rebuilt while they were read");
  }
}
