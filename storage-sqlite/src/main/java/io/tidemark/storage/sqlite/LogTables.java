package io.tidemark.storage.sqlite;

import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The log and the records of one partition, inside a transaction: a violation rolls it back. */
final class LogTables {
  /** The predecessor, without its bytes, and whatever stands where the group goes. */
  private static final String PLACES =
      """
      SELECT plog_offset, CASE WHEN plog_offset >= ?4 THEN event END FROM tidemark_plog
      WHERE app = ?1 AND part = ?2 AND plog_offset BETWEEN ?3 AND ?5""";

  private static final String PUT_EVENT =
      "INSERT OR REPLACE INTO tidemark_plog VALUES (?, ?, ?, ?)";
  private static final String INSERT_ROW =
      "INSERT INTO tidemark_%s VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
  private static final String PUT_ROW =
      """
      INSERT INTO tidemark_%s VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
      SET plog_offset = excluded.plog_offset, data = excluded.data
      WHERE plog_offset <= excluded.plog_offset""";
  private static final String FOUND_ROW =
      """
      SELECT plog_offset, data FROM tidemark_%s
      WHERE app = ? AND part = ? AND wsid = ? AND id = ?""";

  private static final RowTable WLOG = RowTable.of("wlog");
  private static final RowTable RECORD = RowTable.of("record");

  /** WLog and records differ in what counts as foreign, not in their statements. */
  private record RowTable(String insert, String put, String found) {
    static RowTable of(String name) {
      return new RowTable(
          INSERT_ROW.formatted(name), PUT_ROW.formatted(name), FOUND_ROW.formatted(name));
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Place(long offset, byte @Nullable [] event) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared as a record
  private record Found(long plogOffset, byte[] data) {
    boolean equalTo(long otherOffset, byte[] otherData) {
      return plogOffset == otherOffset && Arrays.equals(data, otherData);
    }

    @Override
    public String toString() {
      return "written at PLog offset " + plogOffset + ", " + data.length + " bytes";
    }
  }

  /** Asks the meta row whether the handle may write. */
  interface OwnerCheck {
    void requireOwner(Session session) throws SQLException;
  }

  private final Session session;
  private final long app;
  private final int partition;

  LogTables(Session session, long app, int partition) {
    this.session = session;
    this.app = app;
    this.partition = partition;
  }

  /** What stands at the group's offsets and right before them. */
  private Map<Long, Place> places(Append append) throws SQLException {
    Map<Long, Place> places = new HashMap<>();
    session
        .all(
            PLACES,
            row -> new Place(row.getLong(1), row.getBytes(2)),
            app,
            partition,
            append.first() - 1,
            append.first(),
            append.last())
        .forEach(place -> places.put(place.offset(), place));
    return places;
  }

  /**
   * Appends a group, after these questions in this order: is it there already, may its owner write,
   * is its predecessor there, is its place free?
   */
  void append(Append append, OwnerCheck owner) throws SQLException {
    Map<Long, Place> places = places(append);
    if (append.entries().stream().allMatch(entry -> isOwn(entry, places.get(entry.offset())))) {
      return;
    }
    owner.requireOwner(session);
    long before = append.first() - 1;
    if (before > 0 && !places.containsKey(before)) {
      throw new StorageCorruptedException(
          "PLog offset %d has no predecessor: %d is missing; restore what was lost"
              .formatted(append.first(), before));
    }
    for (Append.Entry entry : append.entries()) {
      Place place = places.get(entry.offset());
      if (place != null
          && append.mode() == WriteMode.INSERT_IF_NOT_EXISTS
          && !isOwn(entry, place)) {
        throw new SequenceViolationException(
            "PLog offset " + entry.offset(), describe(entry.offset(), place.event()));
      }
      session.update(PUT_EVENT, app, partition, entry.offset(), entry.bytes());
    }
  }

  private static boolean isOwn(Append.Entry entry, @Nullable Place place) {
    return place != null && entry.writeId().equals(writeId(entry.offset(), place.event()));
  }

  private static @Nullable UUID writeId(long offset, byte @Nullable [] stored) {
    try {
      return stored == null ? null : PLogEvent.fromBytes(offset, stored).header().writeId();
    } catch (StorageCorruptedException e) {
      return null; // somebody else's bytes
    }
  }

  private static String describe(long offset, byte @Nullable [] stored) {
    UUID writeId = writeId(offset, stored);
    int length = stored == null ? 0 : stored.length;
    return (writeId == null ? "not an event" : "write id " + writeId) + ", " + length + " bytes";
  }

  void appendWLog(List<WLogRow> rows, WriteMode mode) throws SQLException {
    for (WLogRow row : rows) {
      Found found =
          write(WLOG, mode, row.wsid(), row.wlogOffset(), row.plogOffset(), row.payload());
      if (found != null && !found.equalTo(row.plogOffset(), row.payload())) {
        throw new SequenceViolationException(row.key(), found.toString());
      }
    }
  }

  void putRecords(List<RecordRow> rows, WriteMode newRecords) throws SQLException {
    for (RecordRow row : rows) {
      WriteMode mode = row.isNew() ? newRecords : WriteMode.PUT;
      Found found = write(RECORD, mode, row.wsid(), row.recordId(), row.plogOffset(), row.data());
      if (found != null
          && found.plogOffset() <= row.plogOffset()
          && !found.equalTo(row.plogOffset(), row.data())) {
        throw new SequenceViolationException(row.key(), found.toString());
      }
    }
  }

  /** Writes a row; where it was to be inserted and could not, answers the one that stands there. */
  private @Nullable Found write(
      RowTable table, WriteMode mode, long wsid, long id, long plogOffset, byte[] data)
      throws SQLException {
    if (mode == WriteMode.PUT) {
      session.update(table.put(), app, partition, wsid, id, plogOffset, data);
      return null;
    }
    if (session.update(table.insert(), app, partition, wsid, id, plogOffset, data) == 1) {
      return null;
    }
    return session
        .first(
            table.found(),
            row -> new Found(row.getLong(1), row.getBytes(2)),
            app,
            partition,
            wsid,
            id)
        .orElse(null);
  }

  void markCorrupted(long offset) throws SQLException {
    byte[] stored =
        session
            .first(
                "SELECT event FROM tidemark_plog WHERE app = ? AND part = ? AND plog_offset = ?",
                row -> row.getBytes(1),
                app,
                partition,
                offset)
            .orElseThrow(
                () -> new StorageCorruptedException("PLog offset " + offset + " is not there"));
    PLogEvent event = PLogEvent.fromBytes(offset, stored);
    PLogEvent marked = new PLogEvent(offset, event.header().asCorrupted(), event.payload());
    session.update(PUT_EVENT, app, partition, offset, marked.toBytes());
  }
}
