package io.tidemark.storage.memory;

import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Copies of what a caller hands in, each key once. */
final class Rows {
  private Rows() {}

  static List<WLogRow> copyWLog(List<WLogRow> rows) {
    List<WLogRow> copies = new ArrayList<>(rows.size());
    Set<RowKey> seen = new HashSet<>();
    for (WLogRow row : rows) {
      MemoryLogReader.requireOffset("wlogOffset", row.wlogOffset());
      requireNew(seen.add(RowKey.of(row)), row.key());
      copies.add(MemoryLogReader.copy(row));
    }
    return copies;
  }

  static List<RecordRow> copyRecords(List<RecordRow> rows) {
    List<RecordRow> copies = new ArrayList<>(rows.size());
    Set<RowKey> seen = new HashSet<>();
    for (RecordRow row : rows) {
      requireNew(seen.add(RowKey.of(row)), row.key());
      copies.add(MemoryLogReader.copy(row));
    }
    return copies;
  }

  private static void requireNew(boolean isNew, String key) {
    if (!isNew) {
      throw new IllegalArgumentException("a call writes a row once, " + key + " occurs twice");
    }
  }
}
