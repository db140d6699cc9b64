package io.tidemark.storage.foundationdb;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.api.WriteMode.PUT;
import static io.tidemark.storage.foundationdb.Fixture.APP;
import static io.tidemark.storage.foundationdb.Fixture.WS;
import static io.tidemark.storage.foundationdb.Fixture.bytes;
import static io.tidemark.storage.foundationdb.Fixture.created;
import static io.tidemark.storage.foundationdb.Fixture.updated;
import static io.tidemark.storage.foundationdb.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.SequenceViolationException;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WLogAndRecordsTest {
  private final TestCluster cluster = TestCluster.start();
  private final TestRows rows = cluster.rows();
  private final IAppStorage app = cluster.open(APP, Layout.of(1));
  private final IPartitionStorage partition = app.claim(0, "test");

  @Test
  @Tag("L-4")
  void readWLog_overManyPages_visitsOneWorkspaceInOrder() {
    List<WLogRow> written = new ArrayList<>();
    for (int i = 1; i <= 600; i++) {
      written.add(wlog(i, i, "event " + i));
    }
    partition.appendWLog(written, INSERT_IF_NOT_EXISTS);
    partition.appendWLog(
        List.of(new WLogRow(WS - 1, 1, 1, bytes("a")), new WLogRow(WS + 1, 1, 1, bytes("b"))), PUT);

    assertThat(wlog(partition, WS)).isEqualTo(written);
    List<WLogRow> some = new ArrayList<>();
    partition.readWLog(
        WS,
        300,
        row -> {
          some.add(row);
          return some.size() < 2;
        });
    assertThat(some).isEqualTo(written.subList(299, 301));
    List<WLogRow> all = new ArrayList<>();
    app.reader(0).scanWLog(all::add);
    assertThat(all).hasSize(written.size() + 2).containsAll(written);
  }

  @Test
  @Tag("L-10")
  void insertWLog_ofTheSameEventAgain_isSuccess() {
    partition.appendWLog(List.of(wlog(1, 4, "a")), INSERT_IF_NOT_EXISTS);
    partition.appendWLog(List.of(wlog(1, 4, "a")), INSERT_IF_NOT_EXISTS);

    assertThat(wlog(partition, WS)).containsExactly(wlog(1, 4, "a"));
  }

  @Test
  @Tag("T-5")
  void insertWLog_overAnyOtherRow_isAViolationAndWritesNothing() {
    partition.appendWLog(List.of(wlog(2, 4, "a")), INSERT_IF_NOT_EXISTS);
    rows.putWLog(APP, 0, WS, 5, 0, bytes("z"));

    for (WLogRow row :
        List.of(wlog(2, 4, "b"), wlog(2, 5, "a"), wlog(2, 3, "a"), wlog(5, 9, "z"))) {
      assertThatThrownBy(
              () -> partition.appendWLog(List.of(wlog(1, 3, "new"), row), INSERT_IF_NOT_EXISTS))
          .isInstanceOf(SequenceViolationException.class)
          .hasMessageContaining(row.key());
    }
    assertThat(wlog(partition, WS)).containsExactly(wlog(2, 4, "a"), wlog(5, 0, "z"));
  }

  @Test
  @Tag("T-6")
  void putWLog_overAnotherRow_keepsTheHigherPLogOffset() {
    partition.appendWLog(List.of(wlog(1, 4, "a")), PUT);
    partition.appendWLog(List.of(wlog(1, 3, "older")), PUT);
    assertThat(wlog(partition, WS)).containsExactly(wlog(1, 4, "a"));
    partition.appendWLog(List.of(wlog(1, 5, "newer")), PUT);
    assertThat(wlog(partition, WS)).containsExactly(wlog(1, 5, "newer"));
  }

  @Test
  @Tag("T-6")
  void putWLog_overAPlantedRow_overwritesIt() {
    rows.putWLog(APP, 0, WS, 1, 0, bytes("planted"));
    partition.appendWLog(List.of(wlog(1, 1, "ours")), PUT);

    assertThat(wlog(partition, WS)).containsExactly(wlog(1, 1, "ours"));
    rows.removeWLog(APP, 0, WS, 1);
    assertThat(wlog(partition, WS)).isEmpty();
  }

  @Test
  void appendWLog_ofAKeyTwiceOrOffsetZero_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> partition.appendWLog(List.of(wlog(1, 1, "a"), wlog(1, 2, "b")), PUT))
        .withMessageContaining("WLog offset 1 of workspace 7");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> partition.appendWLog(List.of(wlog(0, 1, "a")), PUT))
        .withMessage("wlogOffset must be >= 1, was 0");
  }

  @Test
  @Tag("L-5")
  void readRecord_answersTheStoredVersionOrNull() {
    partition.putRecords(List.of(created(9, 4, "a")), INSERT_IF_NOT_EXISTS);

    assertThat(partition.readRecord(WS, 9)).isEqualTo(updated(9, 4, "a"));
    assertThat(partition.readRecord(WS, 10)).isNull();
    assertThat(partition.readRecord(WS + 1, 9)).isNull();
  }

  @Test
  @Tag("T-7")
  void putRecords_ofAnOlderVersion_changesNothing() {
    partition.putRecords(List.of(created(9, 4, "a")), INSERT_IF_NOT_EXISTS);
    partition.putRecords(List.of(updated(9, 6, "c")), INSERT_IF_NOT_EXISTS);
    partition.putRecords(List.of(updated(9, 5, "b")), INSERT_IF_NOT_EXISTS);
    partition.putRecords(List.of(updated(9, 5, "b")), PUT);
    partition.putRecords(List.of(created(9, 4, "a")), INSERT_IF_NOT_EXISTS);

    assertThat(partition.readRecord(WS, 9)).isEqualTo(updated(9, 6, "c"));
  }

  @Test
  @Tag("T-8")
  void insertRecord_ofTheSameEventAgain_isSuccess() {
    partition.putRecords(List.of(created(9, 4, "a")), INSERT_IF_NOT_EXISTS);
    partition.putRecords(List.of(created(9, 4, "a")), INSERT_IF_NOT_EXISTS);

    assertThat(partition.readRecord(WS, 9)).isEqualTo(updated(9, 4, "a"));
  }

  @Test
  @Tag("T-8")
  @Tag("T-1")
  void insertRecord_overAForeignRow_isAViolationAndWritesNothing() {
    partition.putRecords(List.of(created(9, 4, "a")), INSERT_IF_NOT_EXISTS);
    rows.putRecord(APP, 0, WS, 10, 0, bytes("planted"));

    for (RecordRow row : List.of(created(9, 5, "a"), created(9, 4, "b"), created(10, 1, "x"))) {
      assertThatThrownBy(
              () -> partition.putRecords(List.of(created(8, 5, "new"), row), INSERT_IF_NOT_EXISTS))
          .isInstanceOf(SequenceViolationException.class)
          .hasMessageContaining(row.key());
    }
    assertThat(partition.readRecord(WS, 8)).isNull();
    assertThat(partition.readRecord(WS, 9)).isEqualTo(updated(9, 4, "a"));
  }

  @Test
  @Tag("T-2")
  void putRecord_thatIsUpdatedOrPut_overwritesAPlantedRow() {
    rows.putRecord(APP, 0, WS, 1, 0, bytes("planted"));
    rows.putRecord(APP, 0, WS, 2, 0, bytes("planted"));
    partition.putRecords(List.of(updated(1, 3, "a")), INSERT_IF_NOT_EXISTS);
    partition.putRecords(List.of(created(2, 3, "b")), PUT);

    assertThat(partition.readRecord(WS, 1)).isEqualTo(updated(1, 3, "a"));
    assertThat(partition.readRecord(WS, 2)).isEqualTo(updated(2, 3, "b"));
    rows.removeRecord(APP, 0, WS, 1);
    assertThat(partition.readRecord(WS, 1)).isNull();
  }

  @Test
  @Tag("L-11")
  void putRecords_ofARecordTwice_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> partition.putRecords(List.of(created(1, 1, "a"), updated(1, 2, "b")), PUT))
        .withMessageContaining("record 1 of workspace 7");
    assertThat(partition.readRecord(WS, 1)).isNull();
  }

  @Test
  void arrays_changedByTheCaller_changeNothing() {
    RecordRow row = created(1, 1, "a");
    WLogRow log = wlog(1, 1, "a");
    partition.putRecords(List.of(row), PUT);
    partition.appendWLog(List.of(log), PUT);
    row.data()[0] = 'x';
    log.payload()[0] = 'x';
    partition.readRecord(WS, 1).data()[0] = 'y';
    wlog(partition, WS).get(0).payload()[0] = 'y';
    app.reader(0)
        .scanRecords(
            found -> {
              found.data()[0] = 'z';
              return true;
            });

    assertThat(partition.readRecord(WS, 1)).isEqualTo(updated(1, 1, "a"));
    assertThat(wlog(partition, WS)).containsExactly(wlog(1, 1, "a"));
  }
}
