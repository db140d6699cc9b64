package io.tidemark.storage.postgres;

import io.tidemark.api.WriteMode;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a group's statement looks like; statements of one shape share one text, so that the server
 * prepares it once.
 *
 * <p>A <b>strict</b> statement, the first attempt at every level, inserts what is new with no ON
 * CONFLICT: any row at any of its keys is a unique violation, and nothing is written. A
 * <b>tolerant</b> one is for what may be there, whole or in part: where the level inserts, it
 * accepts rows that are the same write, and divides by zero, which undoes all of it, where another
 * row stands; where the level puts, it puts. Neither can leave a part of a group behind.
 *
 * @param guarded whether the write needs the partition's epoch and predecessor
 * @param tolerant whether rows may be there already
 * @param eventMode how events and workspace-log rows are written by a tolerant statement
 * @param newRecordMode how new records are
 */
record GroupShape(
    boolean guarded,
    boolean tolerant,
    Rows events,
    WriteMode eventMode,
    Rows newRecords,
    WriteMode newRecordMode,
    Rows updatedRecords,
    Rows wlog) {

  /** How many rows of a kind there are; one row needs no array. */
  enum Rows {
    NONE,
    ONE,
    MANY;

    static Rows of(int size) {
      return size == 0 ? NONE : size == 1 ? ONE : MANY;
    }
  }

  static GroupShape of(Group group, boolean guarded, boolean tolerant) {
    // A strict statement is the same for every level.
    WriteMode strict = WriteMode.INSERT_IF_NOT_EXISTS;
    return new GroupShape(
        guarded,
        tolerant,
        Rows.of(group.events().size()),
        tolerant ? group.eventMode() : strict,
        Rows.of(group.newRecords().size()),
        tolerant ? group.newRecordMode() : strict,
        Rows.of(group.updatedRecords().size()),
        Rows.of(group.wlog().size()));
  }

  /** The epoch row is locked until the statement has committed: a claim waits for it. */
  private static final String GUARD =
      """
      WITH e AS MATERIALIZED (
        SELECT o.app, o.partition FROM $.partition o
        WHERE o.app = ? AND o.partition = ? AND o.epoch = ? AND o.claim_id = ?
          AND (?::bigint = 0 OR EXISTS (SELECT 1 FROM $.plog b
            WHERE b.app = o.app AND b.partition = o.partition AND b.plog_offset = ?))
        FOR SHARE OF o)""";

  private static final String NO_GUARD =
      "WITH e AS MATERIALIZED (SELECT ?::integer AS app, ?::integer AS partition)";

  /** Bytes 7 to 22 of a stored event are its write id; see {@code PLogEvent.toBytes}. */
  private static final String SAME_WRITE =
      "substring(t.event FROM 7 FOR 16) %s substring(excluded.event FROM 7 FOR 16)";

  private static final String EVENT_CONFLICT =
      " ON CONFLICT (app, partition, plog_offset) DO UPDATE";

  private static final String PUT_EVENT =
      EVENT_CONFLICT + " SET event = excluded.event WHERE " + SAME_WRITE.formatted("<>");

  private static final String SAME_EVENT =
      EVENT_CONFLICT + " SET event = t.event WHERE " + SAME_WRITE.formatted("=");

  private static final String PUT_RECORD =
      " ON CONFLICT (app, partition, wsid, record_id) DO UPDATE"
          + " SET plog_offset = excluded.plog_offset, data = excluded.data"
          + " WHERE t.plog_offset <= excluded.plog_offset";

  private static final String SAME_RECORD =
      " ON CONFLICT (app, partition, wsid, record_id) DO UPDATE SET plog_offset = t.plog_offset"
          + " WHERE t.plog_offset > excluded.plog_offset"
          + " OR (t.plog_offset = excluded.plog_offset AND t.data = excluded.data)";

  private static final String PUT_WLOG =
      " ON CONFLICT (app, partition, wsid, wlog_offset) DO UPDATE"
          + " SET plog_offset = excluded.plog_offset, payload = excluded.payload"
          + " WHERE t.plog_offset <= excluded.plog_offset";

  private static final String SAME_WLOG =
      " ON CONFLICT (app, partition, wsid, wlog_offset) DO UPDATE SET plog_offset = t.plog_offset"
          + " WHERE t.plog_offset = excluded.plog_offset AND t.payload = excluded.payload";

  /**
   * The statement's text. A strict one ends with an insert, and its update count is 0 where the
   * epoch row was not found: one part and a result less, a tenth of the statement's server CPU. A
   * tolerant one, and one that only updates, answers how many epoch rows were found.
   */
  String sql() {
    List<Part> parts = parts();
    StringBuilder text = new StringBuilder(guarded ? GUARD : NO_GUARD);
    int named = countsRows() ? parts.size() - 1 : parts.size();
    for (Part part : parts.subList(0, named)) {
      text.append(",\n").append(part.name).append(" AS (").append(insert(part)).append(')');
    }
    if (countsRows()) {
      return text.append('\n').append(insert(parts.get(named))).toString();
    }
    text.append("\nSELECT count(*)");
    if (tolerant) {
      text.append(", 1 / CASE WHEN count(*) = 0 OR (true");
      parts.stream()
          .filter(part -> part.isCounted)
          .forEach(
              part -> text.append(" AND (SELECT count(*) FROM ").append(part.name).append(") = ?"));
      text.append(") THEN 1 ELSE 0 END");
    }
    return text.append(" FROM e").toString();
  }

  /** Whether the answer is an update count. */
  boolean countsRows() {
    return !tolerant && (events != Rows.NONE || newRecords != Rows.NONE || wlog != Rows.NONE);
  }

  /**
   * One insert of a statement: so many bigint columns, then one of bytes.
   *
   * @param isCounted whether a tolerant statement counts the rows it accepted
   */
  private record Part(
      String name, Rows rows, String into, int numbers, String conflict, boolean isCounted) {}

  /** In the order of their parameters; updates come first, as theirs is no count to go by. */
  private List<Part> parts() {
    String record = "$.record AS t (app, partition, wsid, record_id, plog_offset, data)";
    boolean keepsEvents = eventMode == WriteMode.INSERT_IF_NOT_EXISTS;
    boolean keepsRecords = newRecordMode == WriteMode.INSERT_IF_NOT_EXISTS;
    return Stream.of(
            new Part("u", updatedRecords, record, 3, PUT_RECORD, false),
            new Part(
                "p",
                events,
                "$.plog AS t (app, partition, plog_offset, event)",
                1,
                conflict(keepsEvents ? SAME_EVENT : PUT_EVENT),
                tolerant && keepsEvents),
            new Part(
                "n",
                newRecords,
                record,
                3,
                conflict(keepsRecords ? SAME_RECORD : PUT_RECORD),
                tolerant && keepsRecords),
            new Part(
                "w",
                wlog,
                "$.wlog AS t (app, partition, wsid, wlog_offset, plog_offset, payload)",
                3,
                conflict(keepsEvents ? SAME_WLOG : PUT_WLOG),
                tolerant && keepsEvents))
        .filter(part -> part.rows != Rows.NONE)
        .toList();
  }

  private String conflict(String clause) {
    return tolerant ? clause : "";
  }

  private static String insert(Part part) {
    boolean one = part.rows == Rows.ONE;
    return "INSERT INTO "
        + part.into
        + " SELECT e.app, e.partition"
        // In the list of columns and not in FROM, where each array would be copied row by row.
        + (one ? ", ?::bigint" : ", unnest(?::bigint[])").repeat(part.numbers)
        + (one ? ", ?::bytea" : ", unnest(?::bytea[])")
        + " FROM e"
        + part.conflict
        + (part.isCounted ? " RETURNING 1" : "");
  }

  /** Whether the tolerant statement counts the rows that were accepted of this kind. */
  boolean countsEvents() {
    return tolerant && eventMode == WriteMode.INSERT_IF_NOT_EXISTS && events != Rows.NONE;
  }

  boolean countsNewRecords() {
    return tolerant && newRecordMode == WriteMode.INSERT_IF_NOT_EXISTS && newRecords != Rows.NONE;
  }

  boolean countsWLog() {
    return tolerant && eventMode == WriteMode.INSERT_IF_NOT_EXISTS && wlog != Rows.NONE;
  }
}
