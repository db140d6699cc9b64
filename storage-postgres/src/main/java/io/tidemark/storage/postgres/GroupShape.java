package io.tidemark.storage.postgres;

import io.tidemark.api.WriteMode;

/**
 * What a group's statement looks like; statements of one shape share one text, so that the server
 * prepares it once.
 *
 * <p>A <b>strict</b> statement inserts with no ON CONFLICT: any row at any key is a unique
 * violation, and nothing is written. A <b>tolerant</b> one is for groups that were written before,
 * whole or in part: it accepts rows that are the same write, and divides by zero, which undoes all
 * of it, where another row stands. Neither can leave a part of a group behind.
 *
 * @param guarded whether the write needs the partition's epoch and predecessor
 * @param tolerant whether rows of the same write are accepted
 */
record GroupShape(
    boolean guarded,
    boolean tolerant,
    Rows events,
    WriteMode eventMode,
    Rows newRecords,
    Rows putRecords,
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
    return new GroupShape(
        guarded,
        tolerant,
        Rows.of(group.events().size()),
        group.eventMode(),
        Rows.of(group.newRecords().size()),
        Rows.of(group.putRecords().size()),
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

  private boolean inserts() {
    return eventMode == WriteMode.INSERT_IF_NOT_EXISTS;
  }

  /** The statement's text; its result is how many epoch rows were found: 0 or 1. */
  String sql() {
    StringBuilder text = new StringBuilder(guarded ? GUARD : NO_GUARD);
    StringBuilder accepted = new StringBuilder();
    part(
        text,
        accepted,
        "p",
        events,
        "$.plog AS t (app, partition, plog_offset, event)",
        1,
        inserts() ? tolerant ? SAME_EVENT : "" : PUT_EVENT,
        inserts());
    String record = "$.record AS t (app, partition, wsid, record_id, plog_offset, data)";
    part(text, accepted, "n", newRecords, record, 3, tolerant ? SAME_RECORD : "", true);
    part(text, accepted, "r", putRecords, record, 3, PUT_RECORD, false);
    part(
        text,
        accepted,
        "w",
        wlog,
        "$.wlog AS t (app, partition, wsid, wlog_offset, plog_offset, payload)",
        3,
        inserts() ? tolerant ? SAME_WLOG : "" : PUT_WLOG,
        inserts());
    text.append(" SELECT count(*)");
    if (tolerant) {
      text.append(", 1 / CASE WHEN count(*) = 0 OR (true")
          .append(accepted)
          .append(") THEN 1 ELSE 0 END");
    }
    return text.append(" FROM e").toString();
  }

  /** One insert: a number of bigint columns, then one of bytes. */
  private void part(
      StringBuilder text,
      StringBuilder accepted,
      String name,
      Rows rows,
      String into,
      int numbers,
      String conflict,
      boolean counts) {
    if (rows == Rows.NONE) {
      return;
    }
    text.append(",\n")
        .append(name)
        .append(" AS (INSERT INTO ")
        .append(into)
        .append(" SELECT e.app, e.partition");
    if (rows == Rows.ONE) {
      text.append(", ?::bigint".repeat(numbers)).append(", ?::bytea FROM e");
    } else {
      text.append(", a, b, c, d".substring(0, 3 * numbers)).append(", x FROM e, unnest(");
      text.append("?::bigint[], ".repeat(numbers)).append("?::bytea[]) AS v(");
      text.append("a, b, c, ".substring(0, 3 * numbers)).append("x)");
    }
    text.append(conflict);
    if (tolerant && counts) {
      text.append(" RETURNING 1");
      accepted.append(" AND (SELECT count(*) FROM ").append(name).append(") = ?");
    }
    text.append(")");
  }

  /** Whether the tolerant statement counts the rows that were accepted of this kind. */
  boolean countsEvents() {
    return tolerant && inserts() && events != Rows.NONE;
  }

  boolean countsNewRecords() {
    return tolerant && newRecords != Rows.NONE;
  }

  boolean countsWLog() {
    return tolerant && inserts() && wlog != Rows.NONE;
  }
}
