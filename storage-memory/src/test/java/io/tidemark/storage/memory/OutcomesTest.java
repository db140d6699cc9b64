package io.tidemark.storage.memory;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.storage.memory.Fixture.APP;
import static io.tidemark.storage.memory.Fixture.SEQ;
import static io.tidemark.storage.memory.Fixture.WS;
import static io.tidemark.storage.memory.Fixture.created;
import static io.tidemark.storage.memory.Fixture.event;
import static io.tidemark.storage.memory.Fixture.plog;
import static io.tidemark.storage.memory.Fixture.values;
import static io.tidemark.storage.memory.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class OutcomesTest {
  private final MemoryStore store = new MemoryStore();
  private final IAppStorage app = store.open(APP, Layout.of(1));
  private final IPartitionStorage partition = app.claim(0, "test");

  private void append(PLogEvent event) {
    partition.append(List.of(event), INSERT_IF_NOT_EXISTS);
  }

  private static void assertUnknown(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(OutcomeUnknownException.class);
  }

  @Test
  @Tag("F-1")
  void refused_writesNothingAndTheNextCallIsApplied() {
    store.script(Outcome.REFUSED);
    assertThatThrownBy(() -> append(event(1)))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("append")
        .hasMessageContaining("partition 0 of application 'shop'");
    assertThat(partition.logEnd()).isZero();
    append(event(1));
    assertThat(partition.logEnd()).isEqualTo(1);
  }

  @Test
  @Tag("F-2")
  void unknown_isToldAsUnknownWhateverHappened() {
    store.script(Outcome.UNKNOWN_LOST, Outcome.UNKNOWN_APPLIED);
    assertUnknown(() -> append(event(1)));
    assertThat(partition.logEnd()).isZero();
    assertUnknown(() -> append(event(1)));
    assertThat(partition.logEnd()).isEqualTo(1);
  }

  @Test
  void unknownApplied_ofAWriteThatIsFenced_hidesThatToo() {
    app.claim(0, "newer");
    store.script(Outcome.UNKNOWN_APPLIED);
    assertUnknown(() -> append(event(1)));
    assertThatThrownBy(() -> append(event(1))).isInstanceOf(FencedException.class);
    assertThat(partition.logEnd()).isZero();
  }

  @Test
  void misuse_isRefusedBeforeTheScriptIsAsked() {
    store.script(Outcome.REFUSED);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> partition.append(List.of(), INSERT_IF_NOT_EXISTS));
    assertThatThrownBy(() -> append(event(1))).isInstanceOf(StorageUnavailableException.class);
  }

  @Test
  @Tag("F-2")
  void unknownLater_appliesWhenDelivered() {
    PLogEvent event = event(1);
    store.script(Outcome.UNKNOWN_LATER);
    assertUnknown(() -> append(event));
    assertThat(partition.logEnd()).isZero();
    assertThat(store.lateCount()).isEqualTo(1);

    assertThat(store.deliverLate()).isEqualTo(1);
    assertThat(plog(partition)).containsExactly(event);
    assertThat(store.deliverLate()).isZero();
  }

  @Test
  @Tag("L-9")
  void unknownLater_thatTheCallerRepeated_isInTheLogOnce() {
    PLogEvent event = event(1);
    store.script(Outcome.UNKNOWN_LATER);
    assertUnknown(() -> append(event));
    append(event);
    append(event(2));

    assertThat(store.deliverLate()).isEqualTo(1);
    assertThat(plog(partition)).hasSize(2).startsWith(event);
  }

  @Test
  void late_requests_areDeliveredOneByOneOrDropped() {
    store.script(Outcome.UNKNOWN_LATER, Outcome.UNKNOWN_LATER, Outcome.UNKNOWN_LATER);
    assertUnknown(() -> partition.writeValuesAndOffset(values(1), 1));
    assertUnknown(() -> partition.writeValuesAndOffset(values(2), 2));
    assertUnknown(() -> append(event(9)));

    assertThat(store.deliverLate(1)).isTrue();
    assertThat(partition.readNextPLogOffset()).isEqualTo(2);
    assertThat(store.deliverLate(1)).as("no predecessor").isFalse();
    assertThat(store.lateCount()).isEqualTo(1);
    store.dropLate();
    assertThat(store.lateCount()).isZero();
  }

  @ParameterizedTest
  @EnumSource(WriteMode.class)
  void duplicated_writesOfEveryKind_areHarmless(WriteMode mode) {
    store
        .outcomes()
        .script(StorageCall.APPEND, Outcome.DUPLICATED)
        .script(StorageCall.APPEND_WLOG, Outcome.DUPLICATED)
        .script(StorageCall.PUT_RECORDS, Outcome.DUPLICATED)
        .script(StorageCall.WRITE_SEQ_DATA, Outcome.DUPLICATED)
        .script(StorageCall.SETTLE, Outcome.DUPLICATED);
    PLogEvent event = event(1);
    partition.append(List.of(event), mode);
    partition.putRecords(List.of(created(1, 1, "a")), mode);
    partition.appendWLog(List.of(wlog(1, 1, "a")), mode);
    partition.writeValuesAndOffset(values(4), 2);
    partition.settle();
    partition.writeValuesAndOffset(values(5), 3);
    partition.append(List.of(event(2)), mode);

    assertThat(store.lateCount()).isEqualTo(5);
    assertThat(store.deliverLate()).as("each finds itself done").isEqualTo(5);
    assertThat(plog(partition)).hasSize(2).startsWith(event);
    assertThat(partition.readNumbers(WS, new int[] {SEQ})).containsExactly(5);
    assertThat(wlog(partition, WS)).containsExactly(wlog(1, 1, "a"));
    partition.append(List.of(event(3)), mode);
  }

  @Test
  void script_ofOneKind_leavesOthersAlone() {
    store.outcomes().script(StorageCall.WRITE_SEQ_DATA, Outcome.REFUSED);
    append(event(1));
    assertThatThrownBy(() -> partition.writeValuesAndOffset(values(1), 2))
        .isInstanceOf(StorageUnavailableException.class);
    partition.writeValuesAndOffset(values(1), 2);
  }

  @Test
  void always_holdsUntilCleared() {
    store
        .outcomes()
        .always(StorageCall.WRITE_SEQ_DATA, Outcome.REFUSED)
        .script(StorageCall.WRITE_SEQ_DATA, Outcome.APPLIED);
    partition.writeValuesAndOffset(values(1), 2);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> partition.writeValuesAndOffset(values(2), 3))
          .isInstanceOf(StorageUnavailableException.class);
    }
    store.outcomes().clear();
    partition.writeValuesAndOffset(values(2), 3);
    assertThat(partition.readNextPLogOffset()).isEqualTo(3);
  }

  static Stream<ThrowingRead> reads() {
    return Stream.of(
        storage -> storage.claim(0, "reads").readNumbers(WS, new int[] {SEQ}),
        storage -> storage.claim(0, "reads").readNextPLogOffset(),
        storage -> storage.claim(0, "reads").failure(),
        storage -> storage.reader(0).info(),
        storage -> storage.reader(0).logEnd(),
        storage -> storage.reader(0).readPLog(1, event -> true),
        storage -> storage.reader(0).readWLog(WS, 1, row -> true),
        storage -> storage.reader(0).readRecord(WS, 1),
        storage -> storage.reader(0).scanNumbers((wsid, seqId, number) -> true),
        storage -> storage.reader(0).scanRecords(row -> true),
        storage -> storage.sequences("reads").catalog());
  }

  interface ThrowingRead {
    void read(IAppStorage storage);
  }

  @ParameterizedTest
  @MethodSource("reads")
  @Tag("F-1")
  void read_scriptedToFail_isUnavailableOnce(ThrowingRead read) {
    store.outcomes().failReads(1);
    assertThatThrownBy(() -> read.read(app)).isInstanceOf(StorageUnavailableException.class);
    read.read(app);
  }

  @Test
  void script_ofAReadWithAnUnknownOutcome_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.outcomes().script(StorageCall.READ_LOG, Outcome.UNKNOWN_LOST))
        .withMessageContaining("UNKNOWN_LOST");
  }
}
