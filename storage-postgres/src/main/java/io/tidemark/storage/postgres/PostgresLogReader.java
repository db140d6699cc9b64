package io.tidemark.storage.postgres;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads logs and records page by page, each page a statement of its own: a visitor that is held
 * back, as replay is, then holds neither a connection nor an old snapshot.
 */
class PostgresLogReader implements ILogReader {
  private static final String LOG_END =
      "SELECT plog_offset FROM $.plog WHERE app = ? AND partition = ?"
          + " ORDER BY plog_offset DESC LIMIT 1";
  private static final String PLOG =
      Page.of(
          "plog_offset",
          "event",
          "$.plog WHERE app = ? AND partition = ? AND plog_offset >= ? AND plog_offset <= ?",
          "plog_offset");
  private static final String WLOG =
      Page.of(
          "wlog_offset, plog_offset",
          "payload",
          "$.wlog WHERE app = ? AND partition = ? AND wsid = ? AND wlog_offset >= ?",
          "wlog_offset");
  private static final String RECORD =
      "SELECT plog_offset, data FROM $.record WHERE app = ? AND partition = ?"
          + " AND wsid = ? AND record_id = ?";

  final Database database;
  final PartitionKey key;

  PostgresLogReader(Database database, PartitionKey key) {
    this.database = database;
    this.key = key;
  }

  final <T> List<T> query(String what, String text, Database.Binding binding, Database.Row<T> row) {
    return database.query(
        what + " of " + key,
        text,
        binder -> binding.bind(binder.number(key.app()).number(key.partition())),
        row);
  }

  @Override
  public final long logEnd() {
    List<Long> last = query("reading the log's end", LOG_END, b -> {}, rows -> rows.getLong(1));
    return last.isEmpty() ? 0 : last.get(0);
  }

  /** An event as stored; decoded when its turn comes, so that a bad one stops the scan there. */
  @SuppressWarnings("ArrayRecordComponent") // lives for one page
  private record StoredEvent(long offset, byte[] bytes) {}

  @Override
  public final void readPLog(long from, PLogVisitor visitor) {
    Group.requireOffset("from", from);
    long end = logEnd();
    long next = from;
    Page page = new Page();
    while (next <= end) {
      for (StoredEvent stored : plogPage(next, end, page)) {
        if (stored.offset != next) {
          throw new StorageCorruptedException(
              "PLog offset %d of %s is missing, the next is %d; restore it from a backup"
                  .formatted(next, key, stored.offset));
        }
        if (!visitor.visit(PLogEvent.fromBytes(stored.offset, stored.bytes))) {
          return;
        }
        next++;
      }
    }
  }

  private List<StoredEvent> plogPage(long from, long end, Page page) {
    int limit = page.next();
    List<StoredEvent> events =
        query(
            "reading the log",
            PLOG,
            b -> b.bigint(from).bigint(end).number(limit),
            rows -> new StoredEvent(rows.getLong(1), page.seen(rows.getBytes(2))));
    if (events.isEmpty()) {
      throw new StorageUnavailableException(
          "the log of %s lost PLog offset %d while it was read; read again".formatted(key, from));
    }
    return events;
  }

  @Override
  public final void readWLog(long wsid, long from, WLogVisitor visitor) {
    long next = Group.requireOffset("from", from);
    Page page = new Page();
    List<WLogRow> rows;
    do {
      rows = wlogPage(wsid, next, page);
      if (!visitAll(rows, visitor::visit)) {
        return;
      }
      next = rows.isEmpty() ? next : rows.get(rows.size() - 1).wlogOffset() + 1;
    } while (!page.isLast(rows.size()) && next > 0);
  }

  private List<WLogRow> wlogPage(long wsid, long from, Page page) {
    int limit = page.next();
    return query(
        "reading a workspace's log",
        WLOG,
        b -> b.bigint(wsid).bigint(from).number(limit),
        row -> new WLogRow(wsid, row.getLong(1), row.getLong(2), page.seen(row.getBytes(3))));
  }

  static <T> boolean visitAll(List<T> rows, Predicate<T> visitor) {
    for (T row : rows) {
      if (!visitor.test(row)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public final @Nullable RecordRow readRecord(long wsid, long recordId) {
    List<RecordRow> found =
        query(
            "reading a record",
            RECORD,
            b -> b.bigint(wsid).bigint(recordId),
            row -> new RecordRow(wsid, recordId, row.getLong(1), false, row.getBytes(2)));
    return found.isEmpty() ? null : found.get(0);
  }
}
