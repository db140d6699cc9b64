package io.tidemark.storage.foundationdb;

import static io.tidemark.storage.foundationdb.Fixture.APP;
import static io.tidemark.storage.foundationdb.Fixture.WS;
import static io.tidemark.storage.foundationdb.Fixture.bytes;
import static io.tidemark.storage.foundationdb.Fixture.created;
import static io.tidemark.storage.foundationdb.Fixture.event;
import static io.tidemark.storage.foundationdb.Fixture.plog;
import static io.tidemark.storage.foundationdb.Fixture.updated;
import static io.tidemark.storage.foundationdb.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.StorageCapability;
import io.tidemark.spi.WLogRow;
import io.tidemark.storage.foundationdb.simulated.SimulatedCluster;
import io.tidemark.storage.foundationdb.simulated.SimulatedFaults.Fate;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CommitTest {
  private final SimulatedCluster simulation = new SimulatedCluster();
  private final TestCluster cluster = TestCluster.simulated(simulation);
  private final TestRows rows = cluster.rows();
  private final IAppStorage app = cluster.open(APP, Layout.of(1));
  private final IPartitionStorage partition = app.claim(0, "test");
  private final CommitGroup group =
      new CommitGroup(
          List.of(event(1)), List.of(created(9, 1, "record")), List.of(wlog(1, 1, "event 1")));

  private void assertNothingWritten() {
    assertThat(partition.logEnd()).isZero();
    assertThat(partition.readRecord(WS, 9)).isNull();
    assertThat(wlog(partition, WS)).isEmpty();
  }

  private void assertAllWritten() {
    assertThat(partition.logEnd()).isEqualTo(1);
    assertThat(partition.readRecord(WS, 9)).isEqualTo(updated(9, 1, "record"));
    assertThat(wlog(partition, WS)).containsExactly(wlog(1, 1, "event 1"));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("L-12")
  void commit_atEveryLevel_writesAll(TrustLevel level) {
    assertThat(app.capabilities()).contains(StorageCapability.ATOMIC_COMMIT);
    partition.commit(group, level);
    assertAllWritten();
    partition.commit(group, level);
    assertAllWritten();
  }

  @Test
  @Tag("L-12")
  void commit_thatMeetsAForeignRecord_writesNothing() {
    rows.putRecord(APP, 0, WS, 9, 0, bytes("planted"));

    assertThatThrownBy(() -> partition.commit(group, TrustLevel.LEVEL_0))
        .isInstanceOf(SequenceViolationException.class)
        .hasMessageContaining("record 9");
    rows.removeRecord(APP, 0, WS, 9);
    assertNothingWritten();
  }

  @Test
  @Tag("L-12")
  void commit_thatMeetsAForeignWLogRow_writesNothing() {
    rows.putWLog(APP, 0, WS, 1, 0, bytes("planted"));

    assertThatThrownBy(() -> partition.commit(group, TrustLevel.LEVEL_1))
        .isInstanceOf(SequenceViolationException.class)
        .hasMessageContaining("WLog offset 1");
    rows.removeWLog(APP, 0, WS, 1);
    assertNothingWritten();
  }

  @Test
  @Tag("T-2")
  void commit_atLevelTwo_overwritesEveryForeignRow() {
    rows.putPLog(APP, 0, 1, bytes("planted"));
    rows.putWLog(APP, 0, WS, 1, 0, bytes("planted"));
    rows.putRecord(APP, 0, WS, 9, 0, bytes("planted"));
    partition.commit(group, TrustLevel.LEVEL_2);

    assertAllWritten();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("F-5")
  void commit_byADeposedOwner_isFencedAndWritesNothing(TrustLevel level) {
    app.claim(0, "newer");

    assertThatThrownBy(() -> partition.commit(group, level)).isInstanceOf(FencedException.class);
    assertNothingWritten();
  }

  @Test
  @Tag("L-9")
  void commit_repeatedByADeposedOwner_isSuccess() {
    simulation.faults().commit(1031, Fate.APPLIED);
    assertThatThrownBy(() -> partition.commit(group, TrustLevel.LEVEL_0))
        .isInstanceOf(OutcomeUnknownException.class);
    app.claim(0, "newer");
    partition.commit(group, TrustLevel.LEVEL_0);

    assertAllWritten();
  }

  @Test
  @Tag("L-7")
  void commit_thatExceedsOneTransaction_isRefusedBeforeAnythingIsWritten() {
    byte[] large = new byte[700_000];
    CommitGroup tooLarge =
        new CommitGroup(
            List.of(event(1)),
            List.of(new RecordRow(WS, 9, 1, true, large)),
            List.of(new WLogRow(WS, 1, 1, large)));
    long before = simulation.commits();

    assertThatThrownBy(() -> partition.commit(tooLarge, TrustLevel.LEVEL_0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a commit is one FoundationDB transaction of at most 1000000 bytes")
        .hasMessageContaining("1 events, 1 records, 1 workspace-log rows")
        .hasMessageContaining("raise transactionBytes");
    assertThat(simulation.commits()).isEqualTo(before);
    assertNothingWritten();
  }

  @Test
  @Tag("L-12")
  void commit_ofRowsLargerThanAValue_chunksThem() {
    byte[] large = new byte[250_000];
    new Random(1).nextBytes(large);
    CommitGroup chunked =
        new CommitGroup(
            List.of(event(1, 1, "x".repeat(200_000))),
            List.of(new RecordRow(WS, 9, 1, true, large)),
            List.of(new WLogRow(WS, 1, 1, large)));
    partition.commit(chunked, TrustLevel.LEVEL_0);
    partition.commit(chunked, TrustLevel.LEVEL_0);

    assertThat(plog(partition)).isEqualTo(chunked.events());
    assertThat(partition.readRecord(WS, 9)).isEqualTo(new RecordRow(WS, 9, 1, false, large));
    assertThat(wlog(partition, WS)).isEqualTo(chunked.wlog());
    partition.putRecords(List.of(updated(9, 2, "short")), TrustLevel.LEVEL_0.newRecords());
    assertThat(partition.readRecord(WS, 9))
        .as("no chunk of the longer version is left")
        .isEqualTo(updated(9, 2, "short"));
  }
}
