package io.tidemark.storage.foundationdb.simulated;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.TransactionOptions;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import io.tidemark.storage.foundationdb.simulated.SimulatedFaults.CommitFault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One transaction: reads at one version under its own writes, remembers what it read and wrote, and
 * asks the cluster at the commit. An error of a write shows at the next read or at the commit, as
 * in the real client.
 */
final class SimulatedTransaction extends SimulatedReads implements Transaction {
  private static final int KEY_LIMIT = 10_000;
  private static final int RANGE_OVERHEAD = 32;
  private static final int MUTATION_OVERHEAD = 40;
  private static final byte[] FIRST_KEY = {};
  private static final byte[] END_OF_KEYS = {(byte) 0xFF};

  private final SimulatedDatabase database;
  private final SimulatedCluster cluster;
  private final Settings settings;
  private final OwnWrites own = new OwnWrites();
  private final List<Mutation> mutations = new ArrayList<>();
  private final List<KeyRange> readConflicts = new ArrayList<>();
  private final List<KeyRange> writeConflicts = new ArrayList<>();
  private final ReadTransaction snapshot = new Snapshot();
  private @Nullable Long readVersion;
  private long committedVersion = -1;
  private long size;
  private @Nullable FDBException deferred;
  private boolean commitStarted;
  private boolean cancelled;
  private boolean closed;

  SimulatedTransaction(SimulatedDatabase database, Settings settings) {
    this.database = database;
    this.cluster = database.cluster();
    this.settings = settings;
    cluster.begin();
  }

  private final class Snapshot extends SimulatedReads {
    @Override
    SimulatedTransaction transaction() {
      return SimulatedTransaction.this;
    }

    @Override
    public boolean isSnapshot() {
      return true;
    }

    @Override
    public ReadTransaction snapshot() {
      return this;
    }

    @Override
    public CompletableFuture<Long> getReadVersion() {
      return SimulatedTransaction.this.getReadVersion();
    }

    @Override
    public void setReadVersion(long version) {
      SimulatedTransaction.this.setReadVersion(version);
    }

    @Override
    public boolean addReadConflictRangeIfNotSnapshot(byte[] begin, byte[] end) {
      return false;
    }

    @Override
    public boolean addReadConflictKeyIfNotSnapshot(byte[] key) {
      return false;
    }

    @Override
    public TransactionOptions options() {
      return SimulatedTransaction.this.options();
    }
  }

  @Override
  SimulatedTransaction transaction() {
    return this;
  }

  @Override
  public boolean isSnapshot() {
    return false;
  }

  @Override
  public ReadTransaction snapshot() {
    return snapshot;
  }

  @Override
  public TransactionOptions options() {
    return new TransactionOptions(settings);
  }

  static FDBException error(int code, String message) {
    return new FDBException(message, code);
  }

  private void requireNotClosed() {
    if (closed) {
      throw new IllegalStateException("Cannot access closed object");
    }
  }

  private void requireUsable() {
    if (cancelled) {
      throw error(1025, "Operation aborted because the transaction was cancelled");
    }
    if (commitStarted) {
      throw error(2017, "Operation issued while a commit was outstanding");
    }
    settings.requireTime(cluster.micros());
    if (deferred != null) {
      throw deferred;
    }
  }

  /** A read's answer, or what went wrong. */
  synchronized <T> CompletableFuture<T> answer(Supplier<T> read) {
    requireNotClosed();
    try {
      requireUsable();
      Integer fault = database.faults().nextRead();
      if (fault != null) {
        throw error(fault, "injected");
      }
      requireReadVersion();
      return CompletableFuture.completedFuture(read.get());
    } catch (FDBException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private long requireReadVersion() {
    Long version = readVersion;
    if (version == null) {
      version = cluster.readVersion();
      readVersion = version;
    }
    cluster.requireReadable(version);
    return version;
  }

  @Override
  public CompletableFuture<Long> getReadVersion() {
    return answer(this::requireReadVersion);
  }

  @Override
  public synchronized void setReadVersion(long version) {
    requireNotClosed();
    if (readVersion != null) {
      throw error(2010, "Transaction already has a read version set");
    }
    readVersion = version;
  }

  private boolean seesOwnWrites(boolean snapshotRead) {
    return !settings.readYourWritesDisabled()
        && !(snapshotRead && settings.snapshotWithoutOwnWrites());
  }

  private byte @Nullable [] value(byte[] key, boolean snapshotRead) {
    byte[] stored = cluster.get(key, requireReadVersion());
    byte[] value = seesOwnWrites(snapshotRead) ? own.value(key, stored) : stored;
    return value == null ? null : value.clone();
  }

  private void addConflict(KeyRange range, boolean snapshotRead) {
    if (snapshotRead || range.isEmpty()) {
      return;
    }
    List<KeyRange> parts = seesOwnWrites(false) ? own.dependent(range) : List.of(range);
    for (KeyRange part : parts) {
      readConflicts.add(part);
      size += part.bytes() + RANGE_OVERHEAD;
    }
  }

  byte @Nullable [] get(byte[] key, boolean snapshotRead) {
    requireLegal(key);
    byte[] value = value(key, snapshotRead);
    addConflict(KeyRange.ofKey(key), snapshotRead);
    return value;
  }

  /** The first key with a value from {@code from} on. */
  private byte @Nullable [] nextKey(byte[] from, boolean snapshotRead) {
    byte[] next = from;
    while (true) {
      byte[] key = cluster.ceilingKey(next);
      byte[] written = seesOwnWrites(snapshotRead) ? own.ceilingKey(next) : null;
      if (key == null || (written != null && Arrays.compareUnsigned(written, key) < 0)) {
        key = written;
      }
      if (key == null || value(key, snapshotRead) != null) {
        return key;
      }
      next = KeyRange.after(key);
    }
  }

  private byte @Nullable [] previousKey(byte[] before, boolean snapshotRead) {
    byte[] next = before;
    while (true) {
      byte[] key = cluster.lowerKey(next);
      byte[] written = seesOwnWrites(snapshotRead) ? own.lowerKey(next) : null;
      if (key == null || (written != null && Arrays.compareUnsigned(written, key) > 0)) {
        key = written;
      }
      if (key == null || value(key, snapshotRead) != null) {
        return key;
      }
      next = key;
    }
  }

  private byte[] resolve(KeySelector selector, boolean snapshotRead) {
    byte[] pivot = selector.orEqual() ? KeyRange.after(selector.getKey()) : selector.getKey();
    if (selector.getOffset() > 0) {
      byte[] key = nextKey(pivot, snapshotRead);
      for (int i = 1; i < selector.getOffset() && key != null; i++) {
        key = nextKey(KeyRange.after(key), snapshotRead);
      }
      return key == null ? END_OF_KEYS.clone() : key.clone();
    }
    byte[] key = previousKey(pivot, snapshotRead);
    for (int i = 0; i > selector.getOffset() && key != null; i--) {
      key = previousKey(key, snapshotRead);
    }
    return key == null ? FIRST_KEY.clone() : key.clone();
  }

  byte[] getKey(KeySelector selector, boolean snapshotRead) {
    byte[] found = resolve(selector, snapshotRead);
    byte[] pivot = selector.orEqual() ? KeyRange.after(selector.getKey()) : selector.getKey();
    addConflict(
        selector.getOffset() > 0
            ? new KeyRange(pivot, KeyRange.after(found))
            : new KeyRange(found, pivot),
        snapshotRead);
    return found;
  }

  /** Where a range begins or ends; a key itself depends on nothing. */
  private byte[] bound(KeySelector selector, boolean snapshotRead) {
    boolean isKey = selector.getOffset() == 1 && !selector.orEqual();
    byte[] bound = isKey ? selector.getKey() : getKey(selector, snapshotRead);
    return Arrays.compareUnsigned(bound, END_OF_KEYS) > 0 ? END_OF_KEYS : bound;
  }

  SimulatedRange.Batch getRange(
      KeySelector begin,
      KeySelector end,
      int limit,
      int batchBytes,
      boolean reverse,
      boolean snapshotRead) {
    requireReadVersion();
    KeyRange range = new KeyRange(bound(begin, snapshotRead), bound(end, snapshotRead));
    List<KeyValue> rows = new ArrayList<>();
    int bytes = 0;
    byte[] key = range.isEmpty() ? null : first(range, reverse, snapshotRead);
    while (key != null && (limit <= 0 || rows.size() < limit) && bytes < batchBytes) {
      byte[] value = value(key, snapshotRead);
      rows.add(new KeyValue(key.clone(), value == null ? new byte[0] : value));
      bytes += key.length + rows.get(rows.size() - 1).getValue().length;
      key = following(range, key, reverse, snapshotRead);
    }
    boolean more = key != null;
    KeyRange seen = range;
    if (more) {
      byte[] last = rows.get(rows.size() - 1).getKey();
      seen =
          reverse
              ? new KeyRange(last, range.end())
              : new KeyRange(range.begin(), KeyRange.after(last));
    }
    addConflict(seen, snapshotRead);
    cluster.advance(cluster.rangeDelay());
    return new SimulatedRange.Batch(rows, more);
  }

  private byte @Nullable [] first(KeyRange range, boolean reverse, boolean snapshotRead) {
    byte[] key =
        reverse ? previousKey(range.end(), snapshotRead) : nextKey(range.begin(), snapshotRead);
    return key != null && range.contains(key) ? key : null;
  }

  private byte @Nullable [] following(
      KeyRange range, byte[] key, boolean reverse, boolean snapshotRead) {
    byte[] next =
        reverse ? previousKey(key, snapshotRead) : nextKey(KeyRange.after(key), snapshotRead);
    return next != null && range.contains(next) ? next : null;
  }

  private static void requireLegal(byte[] key) {
    if (key.length > KEY_LIMIT) {
      throw error(2102, "Key length exceeds limit");
    }
    if (Arrays.compareUnsigned(key, END_OF_KEYS) >= 0) {
      throw error(2004, "Key outside legal range");
    }
  }

  private static void requireLegal(KeyRange range) {
    if (Arrays.compareUnsigned(range.begin(), range.end()) > 0) {
      throw error(2005, "Range begin key larger than end key");
    }
    if (Arrays.compareUnsigned(range.end(), END_OF_KEYS) > 0) {
      throw error(2004, "Key outside legal range");
    }
  }

  /** Runs a write; what is wrong with it is told later. */
  private synchronized void deferring(Runnable write) {
    requireNotClosed();
    try {
      requireUsable();
      write.run();
    } catch (FDBException e) {
      if (deferred == null) {
        deferred = e;
      }
    }
  }

  private void write(Mutation mutation) {
    byte[] value = mutation.value();
    if (value == null) {
      requireLegal(mutation.range());
    } else {
      requireLegal(mutation.key());
      if (value.length > AtomicOperations.VALUE_LIMIT) {
        throw error(2103, "Value length exceeds limit");
      }
    }
    own.add(mutation);
    mutations.add(mutation);
    size += mutation.bytes() + MUTATION_OVERHEAD;
    if (settings.takeNextWriteWithoutConflict()) {
      return;
    }
    writeConflicts.add(mutation.range());
    size += mutation.range().bytes() + RANGE_OVERHEAD;
  }

  @Override
  public void set(byte[] key, byte[] value) {
    Mutation mutation = Mutation.set(key.clone(), value.clone());
    deferring(() -> write(mutation));
  }

  @Override
  public void clear(byte[] key) {
    Mutation mutation = Mutation.clear(KeyRange.ofKey(key.clone()));
    deferring(() -> write(mutation));
  }

  @Override
  public void clear(byte[] begin, byte[] end) {
    Mutation mutation = Mutation.clear(new KeyRange(begin.clone(), end.clone()));
    deferring(() -> write(mutation));
  }

  @Override
  public void clear(Range range) {
    clear(range.begin, range.end);
  }

  @Override
  @Deprecated
  public void clearRangeStartsWith(byte[] prefix) {
    clear(prefix, ByteArrayUtil.strinc(prefix));
  }

  @Override
  public void mutate(MutationType type, byte[] key, byte[] param) {
    if (type == MutationType.SET_VERSIONSTAMPED_KEY
        || type == MutationType.SET_VERSIONSTAMPED_VALUE) {
      throw unsupported("a versionstamp");
    }
    Mutation mutation = Mutation.atomic(type, key.clone(), param.clone());
    deferring(() -> write(mutation));
  }

  @Override
  public void addReadConflictRange(byte[] begin, byte[] end) {
    KeyRange range = new KeyRange(begin.clone(), end.clone());
    deferring(
        () -> {
          requireLegal(range);
          readConflicts.add(range);
          size += range.bytes() + RANGE_OVERHEAD;
        });
  }

  @Override
  public void addReadConflictKey(byte[] key) {
    addReadConflictRange(key, KeyRange.after(key));
  }

  @Override
  public boolean addReadConflictRangeIfNotSnapshot(byte[] begin, byte[] end) {
    addReadConflictRange(begin, end);
    return true;
  }

  @Override
  public boolean addReadConflictKeyIfNotSnapshot(byte[] key) {
    addReadConflictKey(key);
    return true;
  }

  @Override
  public void addWriteConflictRange(byte[] begin, byte[] end) {
    KeyRange range = new KeyRange(begin.clone(), end.clone());
    deferring(
        () -> {
          requireLegal(range);
          writeConflicts.add(range);
          size += range.bytes() + RANGE_OVERHEAD;
        });
  }

  @Override
  public void addWriteConflictKey(byte[] key) {
    addWriteConflictRange(key, KeyRange.after(key));
  }

  @Override
  public synchronized CompletableFuture<Void> commit() {
    requireNotClosed();
    try {
      requireUsable();
      commitStarted = true;
      if (!mutations.isEmpty() || !writeConflicts.isEmpty()) {
        send();
      }
      return CompletableFuture.completedFuture(null);
    } catch (FDBException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void send() {
    if (size > settings.sizeLimit()) {
      throw error(2101, "Transaction exceeds byte limit");
    }
    long version = readVersion == null ? cluster.readVersion() : readVersion;
    SimulatedCluster.Commit commit =
        new SimulatedCluster.Commit(
            version,
            List.copyOf(readConflicts),
            List.copyOf(writeConflicts),
            List.copyOf(mutations));
    cluster.sent(settings.tags());
    CommitFault fault = database.faults().nextCommit();
    if (fault == null) {
      committedVersion = cluster.commit(commit);
      return;
    }
    switch (fault.fate()) {
      case LOST -> {}
      case APPLIED -> cluster.deliver(commit);
      case LATER -> cluster.postpone(commit);
    }
    throw error(fault.code(), "injected, " + fault.fate());
  }

  @Override
  public Long getCommittedVersion() {
    return committedVersion;
  }

  @Override
  public CompletableFuture<byte[]> getVersionstamp() {
    throw unsupported("a versionstamp");
  }

  @Override
  public synchronized CompletableFuture<Long> getApproximateSize() {
    return CompletableFuture.completedFuture(size);
  }

  /** As the real one, it moves into a new object and closes this one. */
  @Override
  public synchronized CompletableFuture<Transaction> onError(Throwable thrown) {
    requireNotClosed();
    close();
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    if (!(cause instanceof FDBException failure)) {
      return CompletableFuture.failedFuture(cause);
    }
    try {
      Settings next = settings.afterError(cluster, failure);
      return CompletableFuture.completedFuture(new SimulatedTransaction(database, next));
    } catch (FDBException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public synchronized void cancel() {
    cancelled = true;
  }

  @Override
  public CompletableFuture<Void> watch(byte[] key) {
    throw unsupported("watch");
  }

  @Override
  public Database getDatabase() {
    return database;
  }

  @Override
  public <T> T run(Function<? super Transaction, T> retryable) {
    return retryable.apply(this);
  }

  @Override
  public <T> CompletableFuture<T> runAsync(
      Function<? super Transaction, ? extends CompletableFuture<T>> retryable) {
    return retryable.apply(this).thenApply(Function.identity());
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
