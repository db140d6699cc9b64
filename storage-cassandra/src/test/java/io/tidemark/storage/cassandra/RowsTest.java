package io.tidemark.storage.cassandra;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.api.WriteMode.PUT;
import static io.tidemark.storage.cassandra.Fixture.WS;
import static io.tidemark.storage.cassandra.Fixture.created;
import static io.tidemark.storage.cassandra.Fixture.updated;
import static io.tidemark.storage.cassandra.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many rows in a call: some of one Cassandra partition, some of others. */
class RowsTest {

  private static List<RecordRow> newRecords(int count, long plogOffset) {
    List<RecordRow> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(created(100 + i, plogOffset, "record " + i));
    }
    return rows;
  }

  private static List<WLogRow> wlogRows(int count) {
    List<WLogRow> rows = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      rows.add(wlog(i, 10 + i, "row " + i));
    }
    return rows;
  }

  @Test
  @Tag("T-8")
  @Tag("I21")
  void records_appliedAgainInPartAndWhole_areSuccessAndAForeignOneIsNamed() {
    try (IAppStorage app = Fixture.open(TrustLevel.LEVEL_0)) {
      IPartitionStorage owner = app.claim(0, "me");
      owner.putRecords(newRecords(3, 5), INSERT_IF_NOT_EXISTS);
      owner.putRecords(newRecords(7, 5), INSERT_IF_NOT_EXISTS);
      owner.putRecords(newRecords(7, 5), INSERT_IF_NOT_EXISTS);
      owner.putRecords(List.of(updated(101, 9, "updated")), INSERT_IF_NOT_EXISTS);
      owner.putRecords(newRecords(7, 5), INSERT_IF_NOT_EXISTS);

      List<RecordRow> read = new ArrayList<>();
      app.reader(0).scanRecords(read::add);
      assertThat(read).hasSize(7).contains(updated(101, 9, "updated"));

      List<RecordRow> second = new ArrayList<>(List.of(created(107, 6, "own")));
      second.add(created(103, 6, "a second creation"));
      assertThatThrownBy(() -> owner.putRecords(second, INSERT_IF_NOT_EXISTS))
          .isInstanceOfSatisfying(
              SequenceViolationException.class, e -> assertThat(e.key()).contains("103"));
      assertThat(owner.readRecord(WS, 107)).as("nothing of a refused call").isNull();
    }
  }

  /** A row that was put by updates alone has no key. */
  @Test
  @Tag("T-1")
  @Tag("T-8")
  @Tag("I12")
  void newRecord_overARowThatWasOnlyEverPut_isAViolationAlsoWhenAppliedAgain() {
    try (IAppStorage app = Fixture.open(TrustLevel.LEVEL_0)) {
      IPartitionStorage owner = app.claim(0, "me");
      owner.putRecords(List.of(updated(100, 3, "only put")), INSERT_IF_NOT_EXISTS);

      for (int attempt = 0; attempt < 2; attempt++) {
        for (int count : List.of(1, 2)) {
          assertThatThrownBy(() -> owner.putRecords(newRecords(count, 5), INSERT_IF_NOT_EXISTS))
              .isInstanceOfSatisfying(
                  SequenceViolationException.class, e -> assertThat(e.key()).contains("100"));
        }
      }

      assertThat(owner.readRecord(WS, 100)).isEqualTo(updated(100, 3, "only put"));
      assertThat(owner.readRecord(WS, 101)).as("nothing of a refused call").isNull();
      owner.putRecords(List.of(updated(101, 5, "same offset")), INSERT_IF_NOT_EXISTS);
      assertThatThrownBy(
              () -> owner.putRecords(List.of(created(101, 5, "other")), INSERT_IF_NOT_EXISTS))
          .isInstanceOf(SequenceViolationException.class);
      owner.putRecords(List.of(created(101, 5, "same offset")), INSERT_IF_NOT_EXISTS);
      owner.putRecords(List.of(updated(102, 9, "later")), INSERT_IF_NOT_EXISTS);
      owner.putRecords(List.of(created(102, 5, "earlier")), INSERT_IF_NOT_EXISTS);
      assertThat(owner.readRecord(WS, 102)).isEqualTo(updated(102, 9, "later"));
    }
  }

  @Test
  @Tag("L-4")
  @Tag("L-10")
  @Tag("T-5")
  void wlog_appliedAgainInPartAndWhole_isSuccessAndAForeignRowIsNamed() {
    try (IAppStorage app = Fixture.open(TrustLevel.LEVEL_1)) {
      IPartitionStorage owner = app.claim(0, "me");
      int count = 2 * Fixture.BUCKET + 1;
      owner.appendWLog(wlogRows(2), INSERT_IF_NOT_EXISTS);
      owner.appendWLog(wlogRows(count), INSERT_IF_NOT_EXISTS);
      owner.appendWLog(wlogRows(count), INSERT_IF_NOT_EXISTS);

      assertThat(Fixture.wlog(owner, WS)).isEqualTo(wlogRows(count));
      List<WLogRow> foreign = List.of(wlog(count + 1, 30, "own"), wlog(3, 30, "foreign"));
      assertThatThrownBy(() -> owner.appendWLog(foreign, INSERT_IF_NOT_EXISTS))
          .isInstanceOfSatisfying(
              SequenceViolationException.class, e -> assertThat(e.key()).contains("offset 3"));
      assertThat(Fixture.wlog(owner, WS)).as("nothing of a refused call").hasSize(count);
    }
  }

  @Test
  @Tag("T-6")
  @Tag("T-7")
  void rows_atLevel2_keepTheHighestOffsetAcrossBuckets() {
    try (IAppStorage app = Fixture.open(TrustLevel.LEVEL_2)) {
      IPartitionStorage owner = app.claim(0, "me");
      owner.appendWLog(wlogRows(9), PUT);
      owner.appendWLog(List.of(wlog(3, 99, "later")), PUT);
      owner.appendWLog(wlogRows(9), PUT);
      owner.putRecords(newRecords(9, 5), PUT);
      owner.putRecords(List.of(created(103, 2, "older")), PUT);

      List<WLogRow> expected = wlogRows(9);
      expected.set(2, wlog(3, 99, "later"));
      assertThat(Fixture.wlog(owner, WS)).isEqualTo(expected);
      assertThat(owner.readRecord(WS, 103)).isEqualTo(updated(103, 5, "record 3"));
      List<WLogRow> scanned = new ArrayList<>();
      app.reader(0).scanWLog(scanned::add);
      assertThat(scanned).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  @Tag("T-2")
  void newRecords_inAnotherLevelsMode_areRefused() {
    try (IAppStorage app = Fixture.open(TrustLevel.LEVEL_1)) {
      IPartitionStorage owner = app.claim(0, "me");

      assertThatThrownBy(() -> owner.putRecords(newRecords(1, 5), INSERT_IF_NOT_EXISTS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("LEVEL_1");
    }
  }
}
