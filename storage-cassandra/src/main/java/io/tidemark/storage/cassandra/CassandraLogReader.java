package io.tidemark.storage.cassandra;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads logs and records page by page. */
class CassandraLogReader implements ILogReader {
  private static final int FIRST_PAGE = 50;
  private static final int LARGEST_PAGE = 2000;
  private static final long PAGE_BYTES = 1 << 20;

  final CassandraAppStorage app;
  final PartitionLog log;
  final int partition;

  CassandraLogReader(CassandraAppStorage app, int partition) {
    this(app, app.log(partition), partition);
  }

  CassandraLogReader(CassandraAppStorage app, PartitionLog log, int partition) {
    this.app = app;
    this.log = log;
    this.partition = partition;
  }

  final Meta meta() {
    return app.meta().read(partition);
  }

  @Override
  public final long logEnd() {
    Meta meta = log.decided(meta());
    long end = log.end(meta);
    requireSameEpoch(end, meta);
    return end;
  }

  @Override
  public final void readPLog(long from, PLogVisitor visitor) {
    requireOffset("from", from);
    Meta meta = log.decided(meta());
    long end = log.end(meta);
    int limit = FIRST_PAGE;
    for (long next = from; next <= end; ) {
      List<EventRow> page = log.page(next, end, limit);
      if (page.isEmpty()) {
        throw missing(next, end);
      }
      requireSameEpoch(page.get(page.size() - 1).offset(), meta);
      long bytes = 0;
      for (EventRow row : page) {
        if (row.offset() != next || isLate(row, meta)) {
          throw missing(next, end);
        }
        if (!visitor.visit(event(row, meta))) {
          return;
        }
        bytes += row.bytes().length;
        next++;
      }
      // The server pages by rows, memory is bytes: the next page is as long as this one's rows let.
      limit = (int) Math.max(1, Math.min(LARGEST_PAGE, PAGE_BYTES * page.size() / (bytes + 1)));
    }
  }

  /** Beyond the stored end a put counts only while its epoch is the partition's. */
  private void requireSameEpoch(long read, Meta meta) {
    if (app.isPut() && read > meta.logEnd() && !meta().epoch().equals(meta.epoch())) {
      throw new StorageUnavailableException(
          "partition %d changed hands while its log was read; read again".formatted(partition));
    }
  }

  /** Whether a row of an earlier epoch stands where the current one has gone on. */
  private boolean isLate(EventRow row, Meta meta) {
    return app.isPut() && row.offset() > meta.logEnd() && row.epoch() < meta.epoch().number();
  }

  private static PLogEvent event(EventRow row, Meta meta) {
    PLogEvent event = PLogEvent.fromBytes(row.offset(), row.bytes());
    return meta.corrupted().contains(row.offset())
        ? new PLogEvent(row.offset(), event.header().asCorrupted(), event.payload())
        : event;
  }

  private StorageCorruptedException missing(long offset, long end) {
    return new StorageCorruptedException(
        "PLog offset %d of partition %d is missing, the log ends at %d; restore it from a backup"
            .formatted(offset, partition, end));
  }

  @Override
  public final void readWLog(long wsid, long from, WLogVisitor visitor) {
    requireOffset("from", from);
    app.wlog().read(partition, wsid, from, visitor);
  }

  @Override
  public final @Nullable RecordRow readRecord(long wsid, long recordId) {
    return app.records().read(partition, wsid, recordId);
  }

  static long requireOffset(String name, long offset) {
    if (offset < 1) {
      throw new IllegalArgumentException(name + " must be >= 1, was " + offset);
    }
    return offset;
  }
}
