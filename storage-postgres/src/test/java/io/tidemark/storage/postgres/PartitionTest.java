package io.tidemark.storage.postgres;

import static io.tidemark.storage.postgres.Fixture.event;
import static io.tidemark.storage.postgres.Fixture.record;
import static io.tidemark.storage.postgres.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.PartitionFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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

  @ParameterizedTest
  @EnumSource(TrustLevel.class)
  void commit_ofEventRecordAndWLogRow_isOneRoundTrip(TrustLevel level) {
    CountingSource counting = Fixture.countingSource();
    IAppStorage counted =
        Fixture.DRIVER.open(counting.source(), "tidemark", app.application(), app.layout());
    IPartitionStorage handle = counted.claim(1, "counted");
    long before = counting.executed();
    handle.commit(
        new CommitGroup(
            List.of(event(1)), List.of(record(1, 1, true, "a")), List.of(wlog(1, 1, "x"))),
        level);
    handle.append(List.of(event(2), event(3)), level.events());
    assertThat(counting.executed() - before).isEqualTo(2);
  }

  @Test
  @Tag("F-9")
  void append_whileTheSettleIsUndecided_waits() {
    PostgresPartition handle = (PostgresPartition) owner;
    Term before = handle.ownership().term();
    owner.settle();
    Term sentEarlier = new Term(before.epoch(), owner.epoch());
    assertThatThrownBy(() -> handle.ownership().requireOwner(sentEarlier, "append"))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("settle again");
  }

  @Test
  @Tag("L-13")
  void markCorrupted_keepsTheHeaderAndNeedsTheEpoch() {
    owner.append(List.of(event(1), event(2)), INSERT);
    owner.markCorrupted(1);
    assertThat(log(owner).get(0).header()).isEqualTo(log(owner).get(0).header().asCorrupted());
    assertThat(log(owner).get(1).header().corrupted()).isFalse();
    assertThatThrownBy(() -> owner.markCorrupted(3)).isInstanceOf(StorageCorruptedException.class);
    app.claim(1, "second");
    assertThatThrownBy(() -> owner.markCorrupted(2)).isInstanceOf(FencedException.class);
  }

  @Test
  @Tag("F-10")
  void storeFailure_outlivesTheHandleAndNeedsTheEpoch() {
    PartitionFailure failure = new PartitionFailure("PLog offset 3", "taken");
    owner.storeFailure(failure);
    IPartitionStorage next = app.claim(1, "second");
    assertThat(next.failure()).isEqualTo(failure);
    assertThatThrownBy(() -> owner.storeFailure(null)).isInstanceOf(FencedException.class);
    next.storeFailure(null);
    assertThat(app.reader(1).info().failure()).isNull();
  }

  @Test
  @Tag("L-1")
  @Tag("L-3")
  void readPLog_ofManyPages_isInOrderAndWhole() {
    for (int first = 1; first <= 5000; first += 1000) {
      List<PLogEvent> group = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        group.add(event(first + i));
      }
      owner.append(group, INSERT);
    }
    List<Long> offsets = new ArrayList<>();
    owner.readPLog(3, event -> offsets.add(event.offset()));
    assertThat(offsets).hasSize(4998).isSorted().startsWith(3L).endsWith(5000L);
  }

  @Test
  @Tag("L-7")
  void append_ofALargeEvent_isReadBack() {
    byte[] payload = new byte[20 << 20];
    new Random(1).nextBytes(payload);
    PLogEvent large = new PLogEvent(1, event(1).header(), payload);
    owner.append(List.of(large), INSERT);
    owner.append(List.of(event(2)), INSERT);
    assertThat(log(owner)).hasSize(2).startsWith(large);
  }

  /** Small rows first, so that a page that trusted their size would take all the large ones. */
  @Test
  @Tag("L-1")
  void page_ofLargeRowsAfterSmallOnes_isBoundedInBytes() throws Exception {
    List<PLogEvent> small = new ArrayList<>();
    for (int i = 1; i <= 200; i++) {
      small.add(event(i));
    }
    owner.append(small, INSERT);
    byte[] payload = new byte[1 << 20];
    for (int i = 201; i <= 220; i++) {
      owner.append(List.of(new PLogEvent(i, event(i).header(), payload)), INSERT);
    }
    CountingSource counting = Fixture.countingSource();
    IAppStorage counted =
        Fixture.DRIVER.open(counting.source(), "tidemark", app.application(), app.layout());
    ILogReader reader = counted.reader(1);
    long before = counting.executed();
    List<Long> offsets = new ArrayList<>();
    reader.readPLog(1, event -> offsets.add(event.offset()));
    assertThat(offsets).hasSize(220).isSorted();
    assertThat(counting.executed() - before)
        .as("log end, pages of 64 and up to 512 rows, none past four large rows")
        .isBetween(7L, 9L);
  }
}
