package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncIterator;
import com.apple.foundationdb.subspace.Subspace;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import io.tidemark.storage.foundationdb.FoundationDbErrorClassifier.Conclusion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of any length in pages, each a transaction of its own: no page holds more than
 * about 1 MB, reads longer than about 2 s, or ends in the middle of a row. Rows are handed over
 * between the transactions, so that a slow visitor ages none.
 *
 * @param transactions runs the pages
 * @param nanoTime the clock
 * @param what what is done, for messages
 */
record Scan(Transactions transactions, LongSupplier nanoTime, String what) {
  private static final int PAGE_BYTES = 1_000_000;
  private static final long PAGE_NANOS = 2_000_000_000L;

  /** Takes one row: its key within the table, without the chunk's number, and its bytes. */
  @FunctionalInterface
  interface RowVisitor {
    /** False ends the scan. */
    boolean visit(Tuple key, byte[] bytes);
  }

  /** A complete row. */
  @SuppressWarnings("ArrayRecordComponent") // never leaves the adapter
  private record Row(Tuple key, byte[] bytes) {}

  @SuppressWarnings("ArrayRecordComponent") // never leaves the adapter
  private record Page(List<Row> rows, byte @Nullable [] next) {}

  /**
   * Visits the rows of {@code table} from {@code begin} until {@code end}.
   *
   * @param chunked whether the last part of a key is a chunk's number
   * @param guard runs in each page's transaction, to throw where the page would mislead
   */
  void rows(
      Subspace table,
      byte[] begin,
      byte[] end,
      boolean chunked,
      Consumer<ReadTransaction> guard,
      RowVisitor visitor) {
    byte[] next = begin;
    while (next != null && ByteArrayUtil.compareUnsigned(next, end) < 0) {
      byte[] from = next;
      Page page =
          transactions.read(
              what,
              transaction -> {
                guard.accept(transaction);
                return page(transaction.snapshot(), table, from, end, chunked);
              });
      for (Row row : page.rows()) {
        if (!visitor.visit(row.key(), row.bytes())) {
          return;
        }
      }
      next = page.next();
    }
  }

  private Page page(
      ReadTransaction transaction, Subspace table, byte[] begin, byte[] end, boolean chunked) {
    Reading reading = new Reading(table, chunked);
    AsyncIterator<KeyValue> found =
        transaction
            .getRange(
                begin, end, ReadTransaction.ROW_LIMIT_UNLIMITED, false, StreamingMode.ITERATOR)
            .iterator();
    try {
      while (found.hasNext()) {
        KeyValue chunk = found.next();
        if (!reading.take(chunk)) {
          return new Page(reading.rows, chunk.getKey());
        }
      }
      reading.endRow();
      return new Page(reading.rows, null);
    } catch (CompletionException | FDBException e) {
      return reading.untilError(e);
    } finally {
      found.cancel();
    }
  }

  /** A page as it is read: complete rows, and the one under way. */
  private final class Reading {
    private final List<Row> rows = new ArrayList<>();
    private final Subspace table;
    private final boolean chunked;
    private final long began = nanoTime.getAsLong();
    private byte @Nullable [] rowPrefix;
    private Tuple rowKey = new Tuple();
    private Chunks.Assembly row = new Chunks.Assembly();
    private long bytes;

    Reading(Subspace table, boolean chunked) {
      this.table = table;
      this.chunked = chunked;
    }

    /** False if the chunk begins a row that is for the next page. */
    boolean take(KeyValue chunk) {
      Tuple key = table.unpack(chunk.getKey());
      int parts = chunked ? key.size() - 1 : key.size();
      long number = chunked ? key.getLong(parts) : 0;
      if (rowPrefix == null
          || number == 0
          || !ByteArrayUtil.startsWith(chunk.getKey(), rowPrefix)) {
        endRow();
        if (bytes >= PAGE_BYTES || nanoTime.getAsLong() - began >= PAGE_NANOS) {
          return false;
        }
        rowKey = Tuple.fromList(key.getItems().subList(0, parts));
        rowPrefix = table.pack(rowKey);
        row = new Chunks.Assembly();
      }
      row.add(what + ": " + rowKey, number, chunk.getValue());
      bytes += chunk.getKey().length + chunk.getValue().length;
      return true;
    }

    void endRow() {
      if (rowPrefix != null) {
        rows.add(new Row(rowKey, row.bytes()));
        rowPrefix = null;
      }
    }

    /** Keeps what was read before an error: under many errors a long page would never be whole. */
    Page untilError(RuntimeException thrown) {
      FDBException failure = FoundationDbErrorClassifier.find(thrown);
      if (failure == null
          || rows.isEmpty()
          || rowPrefix == null
          || FoundationDbErrorClassifier.conclude(failure.getCode(), false) != Conclusion.AGAIN) {
        throw thrown;
      }
      return new Page(rows, rowPrefix);
    }
  }
}
