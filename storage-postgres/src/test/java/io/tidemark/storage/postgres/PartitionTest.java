package io.tidemark.storage.postgres;

import static io.tidemark.storage.postgres.Fixture.event;
import static io.tidemark.storage.postgres.Fixture.record;
import static io.tidemark.storage.postgres.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the handle promises, rule by rule, on a real server. */
final class PartitionTest {
  private static final WriteMode INSERT = WriteMode.INSERT_IF_NOT_EXISTS;

  private final IAppStorage app = Fixture.openNew();
  private final IPartitionStorage owner = app.claim(1, "first");

  @AfterEach
  void close() {
    app.close();
  }

  private static List<PLogEvent> log(ILogReader reader) {
    List<PLogEvent> events = new ArrayList<>();
    reader.readPLog(1, events::add);
    return events;
  }

  @Test
  @Tag("L-8")
  @Tag("L-3")
  void append_aGroup_isReadBack() {
    List<PLogEvent> group = List.of(event(1), event(2), event(3));
    owner.append(group, INSERT);
    assertThat(log(owner)).isEqualTo(group);
    assertThat(owner.logEnd()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(WriteMode.class)
  @Tag("F-5")
  @Tag("F-12")
  void append_afterAnotherClaim_isFenced(WriteMode mode) {
    owner.append(List.of(event(1)), mode);
    IPartitionStorage next = app.claim(1, "second");
    assertThatThrownBy(() -> owner.append(List.of(event(2)), mode))
        .isInstanceOf(FencedException.class)
        .hasMessageContaining("second");
    next.append(List.of(event(2)), mode);
    assertThat(next.logEnd()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(WriteMode.class)
  @Tag("L-9")
  void append_repeatedAfterAnotherClaim_findsItself(WriteMode mode) {
    List<PLogEvent> group = List.of(event(1), event(2));
    owner.append(group, mode);
    owner.append(group, mode);
    app.claim(1, "second");
    owner.append(group, mode);
    assertThat(log(owner)).isEqualTo(group);
  }

  @Test
  @Tag("L-9")
  void append_repeatedWithMore_writesTheRest() {
    List<PLogEvent> group = List.of(event(1), event(2), event(3));
    owner.append(group.subList(0, 2), INSERT);
    owner.append(group, INSERT);
    assertThat(log(owner)).isEqualTo(group);
  }

  @Test
  @Tag("T-3")
  @Tag("L-8")
  void append_groupOverAForeignEvent_writesNothing() {
    owner.append(List.of(event(1), event(2)), INSERT);
    assertThatThrownBy(() -> owner.append(List.of(event(2), event(3)), INSERT))
        .isInstanceOf(SequenceViolationException.class)
        .hasMessageContaining("PLog offset 2");
    assertThat(owner.logEnd()).isEqualTo(2);
  }

  @Test
  @Tag("T-4")
  void append_putOverAForeignEvent_overwrites() {
    owner.append(List.of(event(1)), INSERT);
    List<PLogEvent> other = List.of(event(1, "other"), event(2, "more"));
    owner.append(other, WriteMode.PUT);
    assertThat(log(owner)).isEqualTo(other);
  }

  @ParameterizedTest
  @EnumSource(WriteMode.class)
  @Tag("L-6")
  void append_withoutPredecessor_isCorrupted(WriteMode mode) {
    assertThatThrownBy(() -> owner.append(List.of(event(2)), mode))
        .isInstanceOf(StorageCorruptedException.class)
        .hasMessageContaining("no predecessor");
    assertThat(owner.logEnd()).isZero();
  }

  @Test
  @Tag("F-9")
  void settle_movesTheHandleAndFencesNothing() {
    long before = owner.epoch().number();
    owner.settle();
    assertThat(owner.epoch().number()).isEqualTo(before + 1);
    owner.append(List.of(event(1)), INSERT);
    app.claim(1, "second");
    assertThatThrownBy(owner::settle).isInstanceOf(FencedException.class);
  }

  @ParameterizedTest
  @EnumSource(TrustLevel.class)
  @Tag("L-12")
  void commit_writesEverythingAtOnce(TrustLevel level) {
    CommitGroup group =
        new CommitGroup(
            List.of(event(1), event(2)),
            List.of(record(100, 1, true, "a"), record(101, 2, true, "b"), record(5, 2, false, "c")),
            List.of(wlog(1, 1, "x"), wlog(2, 2, "y")));
    owner.commit(group, level);
    assertThat(log(owner)).isEqualTo(group.events());
    assertThat(owner.readRecord(7, 101).data()).isEqualTo(new byte[] {'b'});
    assertThat(owner.readRecord(7, 5).plogOffset()).isEqualTo(2);
    List<Object> rows = new ArrayList<>();
    owner.readWLog(7, 1, rows::add);
    assertThat(rows).hasSize(2).isEqualTo(group.wlog());
    owner.commit(group, level);
    assertThat(owner.logEnd()).isEqualTo(2);
  }

  @Test
  @Tag("L-12")
  @Tag("T-8")
  void commit_overAForeignRecord_writesNothing() {
    owner.putRecords(List.of(record(100, 1, true, "foreign")), WriteMode.PUT);
    owner.append(List.of(event(1)), INSERT);
    CommitGroup group =
        new CommitGroup(
            List.of(event(2)), List.of(record(100, 2, true, "a")), List.of(wlog(1, 2, "x")));
    assertThatThrownBy(() -> owner.commit(group, TrustLevel.LEVEL_0))
        .isInstanceOf(SequenceViolationException.class)
        .hasMessageContaining("record 100 of workspace 7");
    assertThat(owner.logEnd()).isEqualTo(1);
    List<Object> rows = new ArrayList<>();
    owner.readWLog(7, 1, rows::add);
    assertThat(rows).isEmpty();
    owner.commit(group, TrustLevel.LEVEL_1);
    assertThat(owner.logEnd()).isEqualTo(2);
  }
}
