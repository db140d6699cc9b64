package io.tidemark.tck;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.tck.Made.SEQ;
import static io.tidemark.tck.Made.created;
import static io.tidemark.tck.Made.event;
import static io.tidemark.tck.Made.plog;
import static io.tidemark.tck.Made.updated;
import static io.tidemark.tck.Made.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.StorageCapability;
import io.tidemark.spi.WLogRow;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** Rules L-4, L-5, L-11, L-12 and L-17: workspace logs, records, and both with their events. */
interface RowRules extends StorageHarness {

  @Rule("L-4")
  @Property
  default void readWLog_fromAnyOffset_visitsOneWorkspaceInOrderAsItWasWritten(
      @ForAll @Size(min = 1, max = 10) List<@Size(max = 200) byte[]> payloads,
      @ForAll @IntRange(min = 1, max = 10) int from,
      @ForAll long bits) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspaceNear(bits);
    List<WLogRow> rows = new ArrayList<>();
    List<WLogRow> neighbours = new ArrayList<>();
    for (int i = 0; i < payloads.size(); i++) {
      rows.add(new WLogRow(wsid, i + 1L, 2L * i + 1, payloads.get(i)));
      for (long beside : new long[] {bits ^ (1L << 40), bits ^ Long.MIN_VALUE}) {
        neighbours.add(wlog(scene.workspaceNear(beside), i + 1L, 2L * i + 2, "beside"));
      }
    }
    owner.appendWLog(rows, INSERT_IF_NOT_EXISTS);
    owner.appendWLog(neighbours, INSERT_IF_NOT_EXISTS);
    List<WLogRow> read = new ArrayList<>();
    owner.readWLog(wsid, from, read::add);
    assertThat(read)
        .as("WLog of workspace %s from %d", Long.toUnsignedString(wsid), from)
        .isEqualTo(rows.subList(Math.min(from - 1, rows.size()), rows.size()));
    List<Long> first = new ArrayList<>();
    scene
        .reader()
        .readWLog(
            wsid,
            1,
            row -> {
              first.add(row.wlogOffset());
              return false;
            });
    assertThat(first).as("offsets read by a visitor that has enough at once").containsExactly(1L);
  }

  @Rule("L-4")
  @Example
  default void readWLog_ofAWorkspaceWithoutOne_visitsNothing() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    owner.appendWLog(List.of(wlog(scene.workspace(1), 1, 1, "other")), INSERT_IF_NOT_EXISTS);
    assertThat(wlog(owner, scene.workspace(2))).as("the WLog of another workspace").isEmpty();
  }

  @Rule("L-5")
  @Property
  default void readRecord_ofAnyBytes_answersThemAndNullWhereThereIsNone(
      @ForAll @Size(max = 400) byte[] data,
      @ForAll @LongRange(min = 1) long recordId,
      @ForAll @LongRange(min = 1) long plogOffset,
      @ForAll long bits) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspaceNear(bits);
    assertThat(owner.readRecord(wsid, recordId)).as("a record nobody wrote").isNull();
    owner.putRecords(
        List.of(new RecordRow(wsid, recordId, plogOffset, true, data)), INSERT_IF_NOT_EXISTS);
    RecordRow expected = new RecordRow(wsid, recordId, plogOffset, false, data);
    assertThat(owner.readRecord(wsid, recordId)).as("the record written").isEqualTo(expected);
    assertThat(scene.reader().readRecord(wsid, recordId))
        .as("the same through a reader")
        .isEqualTo(expected);
    long beside = recordId == Long.MAX_VALUE ? recordId - 1 : recordId + 1;
    assertThat(owner.readRecord(wsid, beside)).as("the record beside it").isNull();
  }

  @Rule("L-11")
  @Example
  default void putRecords_sameRecordTwiceInACall_isRefusedAndWritesNothing() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    assertThatThrownBy(
            () ->
                owner.putRecords(
                    List.of(
                        created(wsid, 8, 1, "one"),
                        created(wsid, 9, 1, "two"),
                        updated(wsid, 8, 1, "three")),
                    INSERT_IF_NOT_EXISTS))
        .as("record 8 occurs twice in one call")
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(owner.readRecord(wsid, 8)).as("record 8 after the refusal").isNull();
    assertThat(owner.readRecord(wsid, 9)).as("record 9 after the refusal").isNull();
  }

  @Rule("L-12")
  @Property(tries = 6)
  default void commit_ofAGroup_writesEventsRecordsAndWLogRows(
      @ForAll TrustLevel level, @ForAll @IntRange(min = 1, max = 4) int asked) {
    Scene scene = Scene.of(this, level);
    IPartitionStorage owner = scene.claim();
    CommitGroup group = groupOf(scene, LogRules.fitting(owner, 0, asked));
    owner.commit(group, level);
    owner.commit(group, level);
    assertWritten(scene, group, "committed a group twice at " + level);
  }

  @Rule("L-12")
  @RequiresCapability(StorageCapability.ATOMIC_COMMIT)
  @NeedsRawAccess
  @Property(tries = 6)
  default void commit_thatMeetsAForeignRow_writesNothing(@ForAll boolean inRecords) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    CommitGroup group = groupOf(scene, LogRules.fitting(owner, 0, 3));
    int last = group.events().size() - 1;
    RecordRow record = group.records().get(last);
    WLogRow row = group.wlog().get(last);
    if (inRecords) {
      scene.plantRecord(updated(record.wsid(), record.recordId(), 0, "foreign"));
    } else {
      scene.plantWLog(wlog(row.wsid(), row.wlogOffset(), 0, "foreign"));
    }
    String what = "committed over a foreign " + (inRecords ? record.key() : row.key());
    assertThatThrownBy(() -> owner.commit(group, TrustLevel.LEVEL_0))
        .as(what)
        .isInstanceOf(SequenceViolationException.class);
    if (inRecords) {
      scene.removeRecord(record.wsid(), record.recordId());
    } else {
      scene.removeWLog(row.wsid(), row.wlogOffset());
    }
    assertNothing(scene, group, what);
    owner.commit(group, TrustLevel.LEVEL_0);
    assertWritten(scene, group, "committed again once the foreign row was gone");
  }

  @Rule("L-12")
  @RequiresCapability(StorageCapability.ATOMIC_COMMIT)
  @Example
  default void commit_byADeposedOwner_writesNothing() {
    Scene scene = Scene.of(this);
    IPartitionStorage old = scene.claim("old");
    scene.claim("new");
    CommitGroup group = groupOf(scene, LogRules.fitting(old, 0, 2));
    assertThatThrownBy(() -> old.commit(group, TrustLevel.LEVEL_0))
        .as("a deposed owner commits")
        .isInstanceOf(FencedException.class);
    assertNothing(scene, group, "a deposed owner committed");
  }

  @Rule("L-17")
  @Property(tries = 4)
  default void scans_ofAReader_visitEveryRowOfThePartitionOnce(
      @ForAll @IntRange(min = 1, max = 40) int workspaces) {
    List<Scene> scenes = Scene.several(this, 2);
    List<WLogRow> wlog = new ArrayList<>();
    List<RecordRow> records = new ArrayList<>();
    List<String> numbers = new ArrayList<>();
    for (Scene scene : scenes) {
      wlog.clear();
      records.clear();
      numbers.clear();
      SeqValues values = new SeqValues();
      for (int i = 0; i < workspaces; i++) {
        long wsid = scene.workspace(i);
        wlog.add(wlog(wsid, 1, i + 1L, "first"));
        wlog.add(wlog(wsid, 2, i + 100L, "second"));
        records.add(updated(wsid, 1000 + i, i + 1L, "record"));
        values.add(wsid, SEQ, i + 1L);
        numbers.add(wsid + "/" + SEQ + "=" + (i + 1L));
      }
      IPartitionStorage owner = scene.claim();
      owner.appendWLog(wlog, INSERT_IF_NOT_EXISTS);
      owner.putRecords(records, INSERT_IF_NOT_EXISTS);
      owner.writeValuesAndOffset(values, 2);
    }
    Scene last = scenes.get(1);
    List<WLogRow> seenWLog = new ArrayList<>();
    last.reader().scanWLog(seenWLog::add);
    List<RecordRow> seenRecords = new ArrayList<>();
    last.reader().scanRecords(seenRecords::add);
    List<String> seenNumbers = new ArrayList<>();
    last.reader()
        .scanNumbers((wsid, seqId, number) -> seenNumbers.add(wsid + "/" + seqId + "=" + number));
    assertThat(seenWLog).as("WLog rows scanned").containsExactlyInAnyOrderElementsOf(wlog);
    assertThat(seenRecords).as("records scanned").containsExactlyInAnyOrderElementsOf(records);
    assertThat(seenNumbers).as("numbers scanned").containsExactlyInAnyOrderElementsOf(numbers);
  }

  private static CommitGroup groupOf(Scene scene, int size) {
    List<PLogEvent> events = new ArrayList<>();
    List<RecordRow> records = new ArrayList<>();
    List<WLogRow> wlog = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      long wsid = scene.workspace(i);
      events.add(event(wsid, i + 1L, 1, "event " + i));
      records.add(created(wsid, 200 + i, i + 1L, "record " + i));
      wlog.add(wlog(wsid, 1, i + 1L, "event " + i));
    }
    return new CommitGroup(events, records, wlog);
  }

  private static void assertWritten(Scene scene, CommitGroup group, String what) {
    assertThat(plog(scene.reader())).as("%s: PLog", what).isEqualTo(group.events());
    for (RecordRow record : group.records()) {
      assertThat(scene.reader().readRecord(record.wsid(), record.recordId()))
          .as("%s: %s", what, record.key())
          .isEqualTo(
              new RecordRow(
                  record.wsid(), record.recordId(), record.plogOffset(), false, record.data()));
    }
    for (WLogRow row : group.wlog()) {
      assertThat(wlog(scene.reader(), row.wsid()))
          .as("%s: %s", what, row.key())
          .containsExactly(row);
    }
  }

  private static void assertNothing(Scene scene, CommitGroup group, String what) {
    assertThat(scene.reader().logEnd()).as("%s: log end", what).isZero();
    for (RecordRow record : group.records()) {
      assertThat(scene.reader().readRecord(record.wsid(), record.recordId()))
          .as("%s: %s", what, record.key())
          .isNull();
    }
    for (WLogRow row : group.wlog()) {
      assertThat(wlog(scene.reader(), row.wsid())).as("%s: %s", what, row.key()).isEmpty();
    }
  }
}
