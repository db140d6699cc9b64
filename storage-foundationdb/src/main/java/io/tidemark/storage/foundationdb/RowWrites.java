package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.subspace.Subspace;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import io.tidemark.storage.foundationdb.Keys.PartitionKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Records and workspace-log rows on their way: what is there is read with a conflict range, then
 * weighed, then written. The row with the higher plogOffset stays.
 */
final class RowWrites {
  /**
   * One row to write.
   *
   * @param key its key, for messages
   * @param place where it is stored
   * @param plogOffset the offset of the event that writes it
   * @param data its data
   * @param rule what makes a row that stands there a violation
   */
  @SuppressWarnings("ArrayRecordComponent") // never leaves the adapter
  private record Row(String key, Subspace place, long plogOffset, byte[] data, Rule rule) {}

  private enum Rule {
    /** Nothing. */
    PUT,
    /** Any row that is not the very same. */
    INSERT_LOG_ROW,
    /** A row of an older event, or of the same one with other bytes. */
    INSERT_RECORD
  }

  private final List<Row> rows = new ArrayList<>();

  RowWrites wlog(PartitionKeys keys, List<WLogRow> written, WriteMode mode) {
    Rule rule = mode == WriteMode.PUT ? Rule.PUT : Rule.INSERT_LOG_ROW;
    for (WLogRow row : written) {
      Subspace place = keys.wlog(row.wsid(), row.wlogOffset());
      rows.add(new Row(row.key(), place, row.plogOffset(), row.payload(), rule));
    }
    return this;
  }

  RowWrites records(PartitionKeys keys, List<RecordRow> written, WriteMode newRecords) {
    for (RecordRow row : written) {
      boolean inserted = row.isNew() && newRecords == WriteMode.INSERT_IF_NOT_EXISTS;
      Rule rule = inserted ? Rule.INSERT_RECORD : Rule.PUT;
      Subspace place = keys.record(row.wsid(), row.recordId());
      rows.add(new Row(row.key(), place, row.plogOffset(), row.data(), rule));
    }
    return this;
  }

  /** Refuses a call that writes a row twice. */
  static void requireDistinct(List<WLogRow> wlog, List<RecordRow> records) {
    Set<String> seen = new HashSet<>();
    for (WLogRow row : wlog) {
      FoundationDbLogReader.requireOffset("wlogOffset", row.wlogOffset());
      requireNew(seen.add(row.key()), row.key());
    }
    for (RecordRow row : records) {
      requireNew(seen.add(row.key()), row.key());
    }
  }

  private static void requireNew(boolean isNew, String key) {
    if (!isNew) {
      throw new IllegalArgumentException("a call writes a row once, " + key + " occurs twice");
    }
  }

  /** Reads what stands at each row's place; a violation ends it. */
  Checked check(Transaction transaction) {
    List<CompletableFuture<byte[]>> reads = new ArrayList<>(rows.size());
    for (Row row : rows) {
      reads.add(transaction.get(Chunks.firstKey(row.place())));
    }
    List<@Nullable OffsetRow> found = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      byte[] first = reads.get(i).join();
      Row row = rows.get(i);
      OffsetRow standing = first == null ? null : OffsetRow.decode(row.key(), first);
      if (standing != null && isForeign(transaction, standing, row)) {
        throw new SequenceViolationException(
            row.key(),
            "written at PLog offset "
                + standing.plogOffset()
                + ", "
                + standing.length()
                + " bytes");
      }
      found.add(standing);
    }
    return new Checked(rows, found);
  }

  private static boolean isForeign(Transaction transaction, OffsetRow standing, Row row) {
    return switch (row.rule()) {
      case PUT -> false;
      case INSERT_LOG_ROW ->
          standing.plogOffset() != row.plogOffset() || !isSame(transaction, standing, row);
      case INSERT_RECORD ->
          standing.plogOffset() == row.plogOffset()
              ? !isSame(transaction, standing, row)
              : standing.plogOffset() < row.plogOffset();
    };
  }

  private static boolean isSame(Transaction transaction, OffsetRow standing, Row row) {
    if (standing.length() != row.data().length) {
      return false;
    }
    byte[] stored =
        Chunks.join(
            row.key(), row.place(), transaction.getRange(row.place().range()).asList().join());
    return stored != null
        && Arrays.equals(OffsetRow.decode(row.key(), stored).data(row.key()), row.data());
  }

  /**
   * Rows that may be written.
   *
   * @param rows the rows
   * @param found what stands at the place of each
   */
  record Checked(List<Row> rows, List<@Nullable OffsetRow> found) {
    void write(Transaction transaction) {
      for (int i = 0; i < rows.size(); i++) {
        Row row = rows.get(i);
        OffsetRow standing = found.get(i);
        if (standing != null && standing.plogOffset() > row.plogOffset()) {
          continue;
        }
        if (standing != null) {
          Chunks.clear(transaction, row.place());
        }
        Chunks.write(transaction, row.place(), OffsetRow.encode(row.plogOffset(), row.data()));
      }
    }
  }
}
