package io.tidemark.storage.sqlite;

import org.jspecify.annotations.Nullable;

/** Where a row stands in a table with the key (wsid, id), in SQLite's signed order. */
record RowKey(long wsid, long id) {
  static final RowKey FIRST = new RowKey(Long.MIN_VALUE, Long.MIN_VALUE);

  /** The least key after this one; null after the last. */
  @Nullable RowKey next() {
    if (id < Long.MAX_VALUE) {
      return new RowKey(wsid, id + 1);
    }
    return wsid < Long.MAX_VALUE ? new RowKey(wsid + 1, Long.MIN_VALUE) : null;
  }
}
