package io.tidemark.storage.sqlite;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads logs and records page by page. A visitor runs while no statement is open: a read
 * transaction that lasts would keep the write-ahead log from being reset.
 */
class LogReader implements ILogReader {
  private static final String PLOG =
      """
      SELECT plog_offset, event FROM tidemark_plog
      WHERE app = ? AND part = ? AND plog_offset BETWEEN ? AND ? ORDER BY plog_offset""";
  private static final String WLOG_OF_WORKSPACE =
      """
      SELECT wsid, id, plog_offset, data FROM tidemark_wlog
      WHERE app = ? AND part = ? AND wsid = ? AND id >= ? ORDER BY id""";
  private static final String RECORD =
      """
      SELECT wsid, id, plog_offset, data FROM tidemark_record
      WHERE app = ? AND part = ? AND wsid = ? AND id = ?""";

  final Database database;
  final long app;
  final int partition;

  LogReader(Database database, long app, int partition) {
    this.database = database;
    this.app = app;
    this.partition = partition;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record StoredEvent(long offset, byte[] bytes) {}

  @Override
  public final long logEnd() {
    return read(
            "the log's end",
            session ->
                session.first(
                    """
                    SELECT plog_offset FROM tidemark_plog WHERE app = ? AND part = ?
                    ORDER BY plog_offset DESC LIMIT 1""",
                    row -> row.getLong(1),
                    app,
                    partition))
        .orElse(0L);
  }

  @Override
  public final void readPLog(long from, PLogVisitor visitor) {
    requireOffset("from", from);
    long end = logEnd();
    long next = from;
    while (next <= end) {
      long first = next;
      Session.Page<StoredEvent> page =
          read(
              "the partition log",
              session ->
                  session.page(
                      PLOG,
                      row -> new StoredEvent(row.getLong(1), row.getBytes(2)),
                      event -> event.bytes().length,
                      app,
                      partition,
                      first,
                      end));
      for (StoredEvent event : page.rows()) {
        if (event.offset() != next) {
          throw new StorageCorruptedException(
              "PLog offset %d of %s is missing, the next is %d; restore it from a backup"
                  .formatted(next, this, event.offset()));
        }
        if (!visitor.visit(PLogEvent.fromBytes(next, event.bytes())) || next == end) {
          return;
        }
        next++;
      }
      if (page.last()) {
        throw new StorageUnavailableException(
            "the log of %s lost PLog offset %d while it was read; read again"
                .formatted(this, next));
      }
    }
  }

  @Override
  public final void readWLog(long wsid, long from, WLogVisitor visitor) {
    requireOffset("from", from);
    long next = from;
    Session.Page<WLogRow> page;
    do {
      long first = next;
      page =
          read(
              "a workspace log",
              session ->
                  session.page(
                      WLOG_OF_WORKSPACE,
                      LogReader::wlogRow,
                      row -> row.payload().length,
                      app,
                      partition,
                      wsid,
                      first));
      for (WLogRow row : page.rows()) {
        if (!visitor.visit(row) || row.wlogOffset() == Long.MAX_VALUE) {
          return;
        }
        next = row.wlogOffset() + 1;
      }
    } while (!page.last());
  }

  @Override
  public final @Nullable RecordRow readRecord(long wsid, long recordId) {
    return read(
            "a record",
            session -> session.first(RECORD, LogReader::recordRow, app, partition, wsid, recordId))
        .orElse(null);
  }

  final <T> T read(String what, Database.Work<T> work) {
    return database.read("reading " + what + " of " + this, work);
  }

  /**
   * Visits a table with the key (scope, wsid, id) from its first row in the scope to its last;
   * false if the visitor ended it.
   */
  final <R> boolean scan(
      String sql,
      Session.Row<R> reader,
      Function<R, RowKey> keyOf,
      ToLongFunction<R> bytesOf,
      Predicate<R> visitor,
      Object... scope) {
    RowKey next = RowKey.FIRST;
    Object[] arguments = Arrays.copyOf(scope, scope.length + 2);
    while (next != null) {
      arguments[scope.length] = next.wsid();
      arguments[scope.length + 1] = next.id();
      Session.Page<R> page =
          read("all rows", session -> session.page(sql, reader, bytesOf, arguments));
      next = null;
      for (R row : page.rows()) {
        if (!visitor.test(row)) {
          return false;
        }
        next = page.last() ? null : keyOf.apply(row).next();
      }
    }
    return true;
  }

  static long requireOffset(String name, long offset) {
    if (offset < 1) {
      throw new IllegalArgumentException(name + " must be >= 1, was " + offset);
    }
    return offset;
  }

  static WLogRow wlogRow(ResultSet row) throws SQLException {
    return new WLogRow(row.getLong(1), row.getLong(2), row.getLong(3), row.getBytes(4));
  }

  static RecordRow recordRow(ResultSet row) throws SQLException {
    return new RecordRow(row.getLong(1), row.getLong(2), row.getLong(3), false, row.getBytes(4));
  }

  @Override
  public String toString() {
    return "partition %d of application '%s'".formatted(partition, database.config().application());
  }
}
