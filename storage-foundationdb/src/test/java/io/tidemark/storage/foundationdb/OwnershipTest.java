package io.tidemark.storage.foundationdb;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.storage.foundationdb.Fixture.APP;
import static io.tidemark.storage.foundationdb.Fixture.SEQ;
import static io.tidemark.storage.foundationdb.Fixture.WS;
import static io.tidemark.storage.foundationdb.Fixture.created;
import static io.tidemark.storage.foundationdb.Fixture.event;
import static io.tidemark.storage.foundationdb.Fixture.plog;
import static io.tidemark.storage.foundationdb.Fixture.updated;
import static io.tidemark.storage.foundationdb.Fixture.values;
import static io.tidemark.storage.foundationdb.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.PartitionInfo;
import io.tidemark.storage.foundationdb.simulated.SimulatedCluster;
import io.tidemark.storage.foundationdb.simulated.SimulatedFaults.Fate;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OwnershipTest {
  private final SimulatedCluster simulation = new SimulatedCluster();
  private final TestCluster cluster = TestCluster.simulated(simulation);
  private final IAppStorage app = cluster.open(APP, Layout.of(2));
  private final IPartitionStorage owner = app.claim(1, "host a");

  private static void assertUnknown(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(OutcomeUnknownException.class);
  }

  @Test
  @Tag("F-11")
  void claim_ofAPartition_answersAHandleWithANewEpoch() {
    assertThat(owner.epoch().number()).isEqualTo(1);
    assertThat(owner.partition()).isEqualTo(1);
    IPartitionStorage newer = app.claim(1, "host b");
    assertThat(newer.epoch().number()).isEqualTo(2);
    assertThat(newer.epoch().claimId()).isNotEqualTo(owner.epoch().claimId());
    assertThat(app.reader(1).info()).isEqualTo(new PartitionInfo(newer.epoch(), "host b", 1, null));
    assertThat(app.reader(0).info()).isEqualTo(new PartitionInfo(Epoch.NONE, "", 1, null));
  }

  @Test
  void claim_ofAPartitionOutsideTheLayout_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> app.claim(2, "test"))
        .withMessage("partition must be 0..1, was 2");
    assertThatIllegalArgumentException().isThrownBy(() -> app.reader(-1));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("F-5")
  @Tag("F-3")
  void append_byADeposedOwner_isFencedForEver(WriteMode mode) {
    IPartitionStorage newer = app.claim(1, "host b");

    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> owner.append(List.of(event(1)), mode))
          .isInstanceOf(FencedException.class)
          .hasMessageContaining("append to partition 1 of application 'shop' with epoch 1/")
          .hasMessageContaining("'host b' holds it with epoch 2/");
    }
    assertThatThrownBy(owner::settle).isInstanceOf(FencedException.class);
    assertThat(newer.logEnd()).isZero();
    newer.append(List.of(event(1)), mode);
  }

  @Test
  @Tag("F-12")
  void otherWrites_byADeposedOwner_mayAppearAndChangeNothingNewer() {
    IPartitionStorage newer = app.claim(1, "host b");
    newer.writeValuesAndOffset(values(10), 10);
    newer.putRecords(List.of(updated(1, 10, "newer")), WriteMode.PUT);
    newer.appendWLog(List.of(wlog(1, 10, "newer")), WriteMode.PUT);

    owner.writeValuesAndOffset(values(5), 5);
    owner.putRecords(List.of(created(1, 5, "older")), WriteMode.PUT);
    owner.appendWLog(List.of(wlog(1, 5, "older")), WriteMode.PUT);

    assertThat(newer.readNumbers(WS, new int[] {SEQ})).containsExactly(10);
    assertThat(newer.readNextPLogOffset()).isEqualTo(10);
    assertThat(newer.readRecord(WS, 1)).isEqualTo(updated(1, 10, "newer"));
    assertThat(wlog(newer, WS)).containsExactly(wlog(1, 10, "newer"));
  }

  @Test
  @Tag("F-12")
  void append_thatArrivesAfterAClaim_neverAppears() {
    simulation.faults().commit(1031, Fate.LATER);
    assertUnknown(() -> owner.append(List.of(event(1)), WriteMode.PUT));
    IPartitionStorage newer = app.claim(1, "host b");

    assertThat(simulation.deliverLate()).isZero();
    assertThat(newer.logEnd()).isZero();
  }

  @Test
  @Tag("F-9")
  void append_thatArrivesAfterASettle_neverAppears() {
    simulation.faults().commit(1031, Fate.LATER);
    assertUnknown(() -> owner.append(List.of(event(1)), INSERT_IF_NOT_EXISTS));
    Epoch before = owner.epoch();
    owner.settle();

    assertThat(owner.epoch().number()).isEqualTo(before.number() + 1);
    assertThat(owner.epoch().claimId()).isNotEqualTo(before.claimId());
    assertThat(simulation.deliverLate()).isZero();
    assertThat(owner.logEnd()).isZero();
    PLogEvent again = event(1);
    owner.append(List.of(again), INSERT_IF_NOT_EXISTS);
    assertThat(plog(owner)).containsExactly(again);
  }

  @Test
  @Tag("F-9")
  void append_thatArrivedBeforeASettle_stays() {
    PLogEvent event = event(1);
    simulation.faults().commit(1031, Fate.LATER);
    assertUnknown(() -> owner.append(List.of(event), INSERT_IF_NOT_EXISTS));
    assertThat(simulation.deliverLate()).isEqualTo(1);
    owner.settle();

    assertThat(plog(owner)).containsExactly(event);
  }

  @ParameterizedTest
  @CsvSource({
    "1031, APPLIED",
    "1031, LOST",
    "1031, LATER",
    "1039, LATER",
    "1101, LATER",
    "1025, LATER"
  })
  @Tag("F-9")
  void settle_repeatedAfterAFailure_succeedsAndTheHandleGoesOn(int code, Fate fate) {
    simulation.faults().commit(code, fate);
    assertUnknown(owner::settle);
    owner.settle();
    owner.append(List.of(event(1)), INSERT_IF_NOT_EXISTS);
    simulation.deliverLate();
    owner.append(List.of(event(2)), INSERT_IF_NOT_EXISTS);
    owner.settle();

    assertThat(owner.logEnd()).isEqualTo(2);
    assertThat(owner.epoch()).isEqualTo(app.reader(1).info().epoch());
  }

  @Test
  void append_whileTheSettleIsUndecided_asksForAnotherSettle() {
    simulation.faults().commit(1031, Fate.APPLIED);
    assertUnknown(owner::settle);

    assertThatThrownBy(() -> owner.append(List.of(event(1)), INSERT_IF_NOT_EXISTS))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("settle again");
    assertThat(owner.logEnd()).isZero();
  }

  @Test
  @Tag("F-5")
  void settle_thatWasLost_isNotMistakenForAClaimOfTheSameNumber() {
    simulation.faults().commit(1031, Fate.LOST);
    assertUnknown(owner::settle);
    IPartitionStorage newer = app.claim(1, "host b");
    assertThat(newer.epoch().number()).isEqualTo(2);

    assertThatThrownBy(owner::settle).isInstanceOf(FencedException.class);
    assertThatThrownBy(() -> owner.append(List.of(event(1)), INSERT_IF_NOT_EXISTS))
        .isInstanceOf(FencedException.class);
    newer.append(List.of(event(1)), INSERT_IF_NOT_EXISTS);
  }

  @Test
  @Tag("F-5")
  void claim_whoseOutcomeIsUnknown_sharesItsNumberWithNobody() {
    simulation.faults().commit(1031, Fate.LATER);
    assertUnknown(() -> app.claim(1, "host b"));
    IPartitionStorage third = app.claim(1, "host c");

    assertThat(simulation.deliverLate()).as("the late claim was outrun").isZero();
    third.append(List.of(event(1)), INSERT_IF_NOT_EXISTS);
    assertThat(app.reader(1).info().owner()).isEqualTo("host c");
  }

  @Test
  @Tag("F-5")
  void claim_thatArrivesLate_fencesTheOwnerItFinds() {
    simulation.faults().commit(1031, Fate.LATER);
    assertUnknown(() -> app.claim(1, "host b"));
    owner.append(List.of(event(1)), INSERT_IF_NOT_EXISTS);
    assertThat(simulation.deliverLate()).isEqualTo(1);

    assertThatThrownBy(() -> owner.append(List.of(event(2)), INSERT_IF_NOT_EXISTS))
        .isInstanceOf(FencedException.class);
  }

  @Test
  @Tag("F-10")
  void failure_storedByTheOwner_outlivesItAndIsCleared() {
    PartitionFailure failure = new PartitionFailure("PLog offset 3", "planted");
    assertThat(owner.failure()).isNull();
    owner.storeFailure(failure);
    IPartitionStorage newer = cluster.open(APP, null).claim(1, "host b");

    assertThat(newer.failure()).isEqualTo(failure);
    assertThat(app.reader(1).info().failure()).isEqualTo(failure);
    assertThatThrownBy(() -> owner.storeFailure(null)).isInstanceOf(FencedException.class);
    assertThat(newer.failure()).isEqualTo(failure);
    newer.storeFailure(null);
    assertThat(newer.failure()).isNull();
  }

  @Test
  @Tag("F-7")
  void reader_ofAnOwnedPartition_disturbsNobody() {
    Epoch before = owner.epoch();
    owner.writeValuesAndOffset(values(3), 2);
    IPartitionReader reader = cluster.open(APP, null).reader(1);

    assertThat(reader.readNumbers(WS, new int[] {SEQ})).containsExactly(3);
    assertThat(reader.readNextPLogOffset()).isEqualTo(2);
    assertThat(plog(reader)).isEmpty();
    assertThat(reader.info().epoch()).isEqualTo(before);
    owner.append(List.of(event(1)), INSERT_IF_NOT_EXISTS);
  }

  @Test
  void failure_storedLate_doesNotUndoTheOneAfterIt() {
    PartitionFailure failure = new PartitionFailure("PLog offset 3", "planted");
    owner.storeFailure(failure);
    simulation.faults().commit(1031, Fate.LATER);
    assertUnknown(() -> owner.storeFailure(null));
    owner.storeFailure(new PartitionFailure("PLog offset 4", "planted"));

    assertThat(simulation.deliverLate()).isZero();
    assertThat(owner.failure()).isEqualTo(new PartitionFailure("PLog offset 4", "planted"));
  }

  @ParameterizedTest
  @EnumSource(names = {"APPLIED", "LOST"})
  @Tag("F-6")
  @Tag("L-9")
  void append_whoseCommitIsUnknownButOver_looksForItselfAndSucceeds(Fate fate) {
    PLogEvent event = event(1);
    simulation.faults().commit(1021, fate);
    owner.append(List.of(event), INSERT_IF_NOT_EXISTS);

    assertThat(plog(owner)).containsExactly(event);
  }

  @ParameterizedTest
  @EnumSource(names = {"APPLIED", "LOST"})
  @Tag("F-6")
  void numbers_whoseCommitIsUnknown_areNotRepeatedByTheStorage(Fate fate) {
    simulation.faults().commit(1021, fate);
    assertUnknown(() -> owner.writeValuesAndOffset(values(4), 2));

    assertThat(owner.readNextPLogOffset()).isEqualTo(fate == Fate.APPLIED ? 2 : 1);
  }

  private IPartitionStorage retrying(int limit) {
    FoundationDbStorageConfig config =
        FoundationDbStorageConfig.builder().retryLimit(limit).build();
    return TestCluster.simulated(simulation, config).open(APP, Layout.of(2)).claim(1, "test");
  }

  @ParameterizedTest
  @EnumSource(names = {"APPLIED", "LOST"})
  @Tag("F-2")
  void append_thatMayBeWrittenAndCannotBeRepeated_isUnknown(Fate fate) {
    IPartitionStorage handle = retrying(0);
    simulation.faults().commit(1021, fate);
    assertUnknown(() -> handle.append(List.of(event(1)), INSERT_IF_NOT_EXISTS));
    handle.settle();

    assertThat(handle.logEnd()).isEqualTo(fate == Fate.APPLIED ? 1 : 0);
  }

  @Test
  @Tag("F-1")
  @Tag("S-2")
  void append_toAClusterThatAlwaysConflicts_endsAtTheRetryLimit() {
    IPartitionStorage handle = retrying(3);
    for (int i = 0; i < 4; i++) {
      simulation.faults().commit(1020, Fate.LOST);
    }
    assertThatThrownBy(() -> handle.append(List.of(event(1)), INSERT_IF_NOT_EXISTS))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("append to partition 1")
        .hasMessageContaining("1020");
    assertThat(handle.logEnd()).isZero();
    handle.append(List.of(event(1)), INSERT_IF_NOT_EXISTS);
  }

  @Test
  @Tag("S-2")
  void call_thatTakesLongerThanTheTimeout_isAborted() {
    FoundationDbStorageConfig hasty =
        FoundationDbStorageConfig.builder().timeout(Duration.ofMillis(50)).retryLimit(1000).build();
    IPartitionStorage impatient =
        TestCluster.simulated(simulation, hasty).open(APP, Layout.of(1)).claim(0, "test");
    for (int i = 0; i < 100; i++) {
      simulation.faults().commit(1020, Fate.LOST);
    }
    assertThatThrownBy(() -> impatient.append(List.of(event(1)), INSERT_IF_NOT_EXISTS))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("1031");
  }
}
