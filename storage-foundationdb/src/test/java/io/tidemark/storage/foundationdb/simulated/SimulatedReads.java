package io.tidemark.storage.foundationdb.simulated;

import com.apple.foundationdb.KeyArrayResult;
import com.apple.foundationdb.KeyRangeArrayResult;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MappedKeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.async.AsyncIterable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** The reading half of a transaction: its own, or its snapshot's. */
abstract class SimulatedReads implements ReadTransaction {

  /** The transaction whose reads these are. */
  abstract SimulatedTransaction transaction();

  @Override
  public CompletableFuture<byte[]> get(byte[] key) {
    return transaction().answer(() -> transaction().get(key.clone(), isSnapshot()));
  }

  @Override
  public CompletableFuture<byte[]> getKey(KeySelector selector) {
    return transaction().answer(() -> transaction().getKey(selector, isSnapshot()));
  }

  @Override
  public AsyncIterable<KeyValue> getRange(
      KeySelector begin, KeySelector end, int limit, boolean reverse, StreamingMode mode) {
    return new SimulatedRange(transaction(), isSnapshot(), begin, end, limit, reverse, mode);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(
      KeySelector begin, KeySelector end, int limit, boolean reverse) {
    return getRange(begin, end, limit, reverse, StreamingMode.ITERATOR);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(KeySelector begin, KeySelector end, int limit) {
    return getRange(begin, end, limit, false);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(KeySelector begin, KeySelector end) {
    return getRange(begin, end, ROW_LIMIT_UNLIMITED);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(
      byte[] begin, byte[] end, int limit, boolean reverse, StreamingMode mode) {
    return getRange(
        KeySelector.firstGreaterOrEqual(begin),
        KeySelector.firstGreaterOrEqual(end),
        limit,
        reverse,
        mode);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(byte[] begin, byte[] end, int limit, boolean reverse) {
    return getRange(begin, end, limit, reverse, StreamingMode.ITERATOR);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(byte[] begin, byte[] end, int limit) {
    return getRange(begin, end, limit, false);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(byte[] begin, byte[] end) {
    return getRange(begin, end, ROW_LIMIT_UNLIMITED);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(
      Range range, int limit, boolean reverse, StreamingMode mode) {
    return getRange(range.begin, range.end, limit, reverse, mode);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(Range range, int limit, boolean reverse) {
    return getRange(range, limit, reverse, StreamingMode.ITERATOR);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(Range range, int limit) {
    return getRange(range, limit, false);
  }

  @Override
  public AsyncIterable<KeyValue> getRange(Range range) {
    return getRange(range, ROW_LIMIT_UNLIMITED);
  }

  @Override
  public AsyncIterable<MappedKeyValue> getMappedRange(
      KeySelector begin,
      KeySelector end,
      byte[] mapper,
      int limit,
      boolean reverse,
      StreamingMode mode) {
    throw unsupported("getMappedRange");
  }

  @Override
  public CompletableFuture<Long> getEstimatedRangeSizeBytes(byte[] begin, byte[] end) {
    throw unsupported("getEstimatedRangeSizeBytes");
  }

  @Override
  public CompletableFuture<Long> getEstimatedRangeSizeBytes(Range range) {
    throw unsupported("getEstimatedRangeSizeBytes");
  }

  @Override
  public CompletableFuture<KeyArrayResult> getRangeSplitPoints(
      byte[] begin, byte[] end, long chunkSize) {
    throw unsupported("getRangeSplitPoints");
  }

  @Override
  public CompletableFuture<KeyArrayResult> getRangeSplitPoints(Range range, long chunkSize) {
    throw unsupported("getRangeSplitPoints");
  }

  @Override
  public CompletableFuture<KeyRangeArrayResult> getBlobGranuleRanges(
      byte[] begin, byte[] end, int limit) {
    throw unsupported("getBlobGranuleRanges");
  }

  static UnsupportedOperationException unsupported(String what) {
    return new UnsupportedOperationException(what + " is not simulated");
  }

  @Override
  public <T> T read(Function<? super ReadTransaction, T> retryable) {
    return retryable.apply(this);
  }

  @Override
  public <T> CompletableFuture<T> readAsync(
      Function<? super ReadTransaction, ? extends CompletableFuture<T>> retryable) {
    return retryable.apply(this).thenApply(Function.identity());
  }

  @Override
  public Executor getExecutor() {
    return Runnable::run;
  }
}
