package io.tidemark.storage.memory;

import static io.tidemark.storage.memory.Fixture.APP;
import static io.tidemark.storage.memory.Fixture.WS;
import static io.tidemark.storage.memory.Fixture.bytes;
import static io.tidemark.storage.memory.Fixture.created;
import static io.tidemark.storage.memory.Fixture.event;
import static io.tidemark.storage.memory.Fixture.updated;
import static io.tidemark.storage.memory.Fixture.wlog;
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
import io.tidemark.spi.StorageCapability;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CommitTest {
  private final MemoryStore store = new MemoryStore();
  private final IAppStorage app = store.open(APP, Layout.of(1));
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
    store.plantRecord(APP, WS, 9, bytes("planted"));

    assertThatThrownBy(() -> partition.commit(group, TrustLevel.LEVEL_0))
        .isInstanceOf(SequenceViolationException.class)
        .hasMessageContaining("record 9");
    store.removeRecord(APP, WS, 9);
    assertNothingWritten();
  }

  @Test
  @Tag("L-12")
  void commit_thatMeetsAForeignWLogRow_writesNothing() {
    store.plantWLog(APP, WS, 1, bytes("planted"));

    assertThatThrownBy(() -> partition.commit(group, TrustLevel.LEVEL_1))
        .isInstanceOf(SequenceViolationException.class)
        .hasMessageContaining("WLog offset 1");
    store.removeWLog(APP, WS, 1);
    assertNothingWritten();
  }

  @Test
  @Tag("T-2")
  void commit_atLevelTwo_overwritesEveryForeignRow() {
    store.plantPLog(APP, 0, 1, bytes("planted"));
    store.plantWLog(APP, WS, 1, bytes("planted"));
    store.plantRecord(APP, WS, 9, bytes("planted"));
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
    store.script(Outcome.UNKNOWN_APPLIED);
    assertThatThrownBy(() -> partition.commit(group, TrustLevel.LEVEL_0))
        .isInstanceOf(OutcomeUnknownException.class);
    app.claim(0, "newer");
    partition.commit(group, TrustLevel.LEVEL_0);

    assertAllWritten();
  }

  @Test
  @Tag("T-7")
  void commit_deliveredAgainLater_undoesNothingNewer() {
    store.script(Outcome.DUPLICATED);
    partition.commit(group, TrustLevel.LEVEL_0);
    partition.putRecords(List.of(updated(9, 2, "newer")), TrustLevel.LEVEL_0.newRecords());

    assertThat(store.deliverLate()).isEqualTo(1);
    assertThat(partition.readRecord(WS, 9)).isEqualTo(updated(9, 2, "newer"));
    assertThat(partition.logEnd()).isEqualTo(1);
  }
}
