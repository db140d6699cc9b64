package io.tidemark.storage.foundationdb.simulated;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncIterable;
import com.apple.foundationdb.async.AsyncIterator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;

/** A range read: fetched in batches, each of which sees the transaction's writes so far. */
final class SimulatedRange implements AsyncIterable<KeyValue> {
  private static final int FIRST_BATCH_BYTES = 4_096;
  private static final int MOST_BATCH_BYTES = 80_000;

  private final SimulatedTransaction transaction;
  private final boolean snapshot;
  private final KeySelector begin;
  private final KeySelector end;
  private final int limit;
  private final boolean reverse;
  private final StreamingMode mode;

  SimulatedRange(
      SimulatedTransaction transaction,
      boolean snapshot,
      KeySelector begin,
      KeySelector end,
      int limit,
      boolean reverse,
      StreamingMode mode) {
    this.transaction = transaction;
    this.snapshot = snapshot;
    this.begin = begin;
    this.end = end;
    this.limit = limit;
    this.reverse = reverse;
    this.mode = mode;
  }

  @Override
  public AsyncIterator<KeyValue> iterator() {
    return new Batches(mode == StreamingMode.ITERATOR ? FIRST_BATCH_BYTES : MOST_BATCH_BYTES);
  }

  @Override
  public CompletableFuture<List<KeyValue>> asList() {
    return transaction.answer(
        () -> {
          List<KeyValue> all = new ArrayList<>();
          Batches batches = new Batches(MOST_BATCH_BYTES);
          while (batches.fetchIfEmpty()) {
            all.add(batches.fetched.removeFirst());
          }
          return all;
        });
  }

  /**
   * One batch.
   *
   * @param rows its rows
   * @param more whether the range goes on behind them
   */
  record Batch(List<KeyValue> rows, boolean more) {}

  private final class Batches implements AsyncIterator<KeyValue> {
    private final Deque<KeyValue> fetched = new ArrayDeque<>();
    private KeySelector from = begin;
    private KeySelector until = end;
    private int left = limit;
    private int batchBytes;
    private boolean more = true;
    private boolean cancelled;

    Batches(int batchBytes) {
      this.batchBytes = batchBytes;
    }

    boolean fetchIfEmpty() {
      while (fetched.isEmpty() && more && !cancelled) {
        Batch batch = transaction.getRange(from, until, left, batchBytes, reverse, snapshot);
        fetched.addAll(batch.rows());
        batchBytes = Math.min(2 * batchBytes, MOST_BATCH_BYTES);
        more = batch.more();
        if (limit > 0) {
          left -= batch.rows().size();
          more &= left > 0;
        }
        if (more) {
          byte[] last = batch.rows().get(batch.rows().size() - 1).getKey();
          if (reverse) {
            until = KeySelector.firstGreaterOrEqual(last);
          } else {
            from = KeySelector.firstGreaterThan(last);
          }
        }
      }
      return !fetched.isEmpty();
    }

    @Override
    public CompletableFuture<Boolean> onHasNext() {
      return transaction.answer(this::fetchIfEmpty);
    }

    @Override
    public boolean hasNext() {
      return onHasNext().join();
    }

    @Override
    public KeyValue next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return fetched.removeFirst();
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }
}
