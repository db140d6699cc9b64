package io.tidemark.storage.memory;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads logs and records page by page; visitors run outside of the lock. */
class MemoryLogReader implements ILogReader {
  final MemoryAppStorage app;
  final PartitionState state;

  MemoryLogReader(MemoryAppStorage app, PartitionState state) {
    this.app = app;
    this.state = state;
  }

  final <T extends @Nullable Object> T read(StorageCall call, Supplier<T> request) {
    return app.read(call, state, request);
  }

  @Override
  public final long logEnd() {
    return read(StorageCall.READ_LOG, () -> state.log().end());
  }

  @Override
  public final void readPLog(long from, PLogVisitor visitor) {
    requireOffset("from", from);
    long end = logEnd();
    long next = from;
    while (next <= end) {
      for (LogRow row : plogPage(next)) {
        if (row.offset() != next) {
          throw new StorageCorruptedException(
              "PLog offset %d of %s is missing, the next is %d; restore it from a backup"
                  .formatted(next, state, row.offset()));
        }
        if (!visitor.visit(row.event()) || next == end) {
          return;
        }
        next++;
      }
    }
  }

  private List<LogRow> plogPage(long from) {
    Table<Long, LogRow> plog = state.log().plog();
    List<LogRow> page = read(StorageCall.READ_LOG, () -> plog.page(from, true));
    if (page.isEmpty()) {
      throw new StorageUnavailableException(
          "the log of %s lost PLog offset %d while it was read; read again".formatted(state, from));
    }
    return page;
  }

  @Override
  public final void readWLog(long wsid, long from, WLogVisitor visitor) {
    requireOffset("from", from);
    scan(
        state.log().wlog(),
        new RowKey(wsid, from),
        row -> row.wsid() == wsid && visitor.visit(copy(row)));
  }

  @Override
  public final @Nullable RecordRow readRecord(long wsid, long recordId) {
    RecordRow row =
        read(StorageCall.READ_LOG, () -> state.log().records().get(new RowKey(wsid, recordId)));
    return row == null ? null : copy(row);
  }

  final <V> void scan(Table<RowKey, V> table, RowKey from, Predicate<V> visitor) {
    RowKey next = from;
    boolean inclusive = true;
    List<V> page;
    do {
      page = page(table, next, inclusive);
      for (V row : page) {
        if (!visitor.test(row)) {
          return;
        }
        next = table.keyOf(row);
      }
      inclusive = false;
    } while (page.size() == Table.PAGE);
  }

  private <V> List<V> page(Table<RowKey, V> table, RowKey from, boolean inclusive) {
    return read(StorageCall.READ_LOG, () -> table.page(from, inclusive));
  }

  static long requireOffset(String name, long offset) {
    if (offset < 1) {
      throw new IllegalArgumentException(name + " must be >= 1, was " + offset);
    }
    return offset;
  }

  static WLogRow copy(WLogRow row) {
    return new WLogRow(row.wsid(), row.wlogOffset(), row.plogOffset(), row.payload().clone());
  }

  static RecordRow copy(RecordRow row) {
    return new RecordRow(
        row.wsid(), row.recordId(), row.plogOffset(), row.isNew(), row.data().clone());
  }
}
