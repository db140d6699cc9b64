package io.tidemark.storage.memory;

import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;

/** The key of a row within a partition: its workspace, and its WLog offset or record id. */
record RowKey(long wsid, long number) implements Comparable<RowKey> {
  static final RowKey FIRST = new RowKey(Long.MIN_VALUE, Long.MIN_VALUE);

  static RowKey of(WLogRow row) {
    return new RowKey(row.wsid(), row.wlogOffset());
  }

  static RowKey of(RecordRow row) {
    return new RowKey(row.wsid(), row.recordId());
  }

  @Override
  public int compareTo(RowKey other) {
    int byWorkspace = Long.compare(wsid, other.wsid);
    return byWorkspace != 0 ? byWorkspace : Long.compare(number, other.number);
  }
}
