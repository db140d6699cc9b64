package io.tidemark.storage.memory;

import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.Arrays;
import java.util.List;

/**
 * One partition's logs and records. Checks come apart from writes, so that a commit can check all
 * it writes before it writes any. Needs the lock.
 */
final class LogState {
  private final String name;
  private final Table<Long, LogRow> plog;
  private final Table<RowKey, WLogRow> wlog;
  private final Table<RowKey, RecordRow> records;

  LogState(String name, Journal journal) {
    this.name = name;
    plog = new Table<>(journal, LogRow::offset);
    wlog = new Table<>(journal, RowKey::of);
    records = new Table<>(journal, RowKey::of);
  }

  Table<Long, LogRow> plog() {
    return plog;
  }

  Table<RowKey, WLogRow> wlog() {
    return wlog;
  }

  Table<RowKey, RecordRow> records() {
    return records;
  }

  long end() {
    Long last = plog.lastKey();
    return last == null ? 0 : last;
  }

  /** Whether the group finds itself in the log. */
  boolean holds(Append append) {
    for (LogRow row : append.rows()) {
      if (!row.isSameWrite(plog.get(row.offset()))) {
        return false;
      }
    }
    return true;
  }

  void check(Append append) {
    long before = append.first() - 1;
    if (before > 0 && plog.get(before) == null) {
      throw new StorageCorruptedException(
          "PLog offset %d of %s has no predecessor: the log ends at %d; restore what was lost"
              .formatted(append.first(), name, end()));
    }
    if (append.mode() == WriteMode.PUT) {
      return;
    }
    for (LogRow row : append.rows()) {
      LogRow found = plog.get(row.offset());
      if (found != null && !row.isSameWrite(found)) {
        throw new SequenceViolationException("PLog offset " + row.offset(), found.toString());
      }
    }
  }

  void write(Append append) {
    append.rows().forEach(plog::put);
  }

  void checkWLog(List<WLogRow> rows, WriteMode mode) {
    if (mode == WriteMode.PUT) {
      return;
    }
    for (WLogRow row : rows) {
      WLogRow found = wlog.get(RowKey.of(row));
      if (found != null && !found.equals(row)) {
        throw violation(row.key(), found.plogOffset(), found.payload());
      }
    }
  }

  void writeWLog(List<WLogRow> rows) {
    for (WLogRow row : rows) {
      WLogRow found = wlog.get(RowKey.of(row));
      if (found == null || found.plogOffset() <= row.plogOffset()) {
        wlog.put(row);
      }
    }
  }

  void checkRecords(List<RecordRow> rows, WriteMode newRecords) {
    if (newRecords == WriteMode.PUT) {
      return;
    }
    for (RecordRow row : rows) {
      RecordRow found = records.get(RowKey.of(row));
      if (row.isNew() && found != null && isForeign(found, row)) {
        throw violation(row.key(), found.plogOffset(), found.data());
      }
    }
  }

  private static boolean isForeign(RecordRow found, RecordRow row) {
    return found.plogOffset() == row.plogOffset()
        ? !Arrays.equals(found.data(), row.data())
        : found.plogOffset() < row.plogOffset();
  }

  void writeRecords(List<RecordRow> rows) {
    for (RecordRow row : rows) {
      RecordRow found = records.get(RowKey.of(row));
      if (found == null || found.plogOffset() <= row.plogOffset()) {
        records.put(new RecordRow(row.wsid(), row.recordId(), row.plogOffset(), false, row.data()));
      }
    }
  }

  void markCorrupted(long offset) {
    LogRow row = plog.get(offset);
    if (row == null) {
      throw new StorageCorruptedException(
          "PLog offset %d of %s is not there: the log ends at %d".formatted(offset, name, end()));
    }
    plog.put(row.asCorrupted());
  }

  private static SequenceViolationException violation(String key, long plogOffset, byte[] found) {
    return new SequenceViolationException(
        key, "written at PLog offset " + plogOffset + ", " + found.length + " bytes");
  }
}
