package io.tidemark.storage.foundationdb.simulated;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.DatabaseOptions;
import com.apple.foundationdb.EventKeeper;
import com.apple.foundationdb.KeyRangeArrayResult;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Tenant;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** A client of a simulated cluster. Everything is done on the caller's thread. */
public final class SimulatedDatabase implements Database {
  private final SimulatedCluster cluster;
  private final SimulatedFaults faults;
  private volatile boolean closed;

  SimulatedDatabase(SimulatedCluster cluster, SimulatedFaults faults) {
    this.cluster = cluster;
    this.faults = faults;
  }

  /** The cluster it talks to. */
  public SimulatedCluster cluster() {
    return cluster;
  }

  SimulatedFaults faults() {
    return faults;
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    return closed;
  }

  @Override
  public Transaction createTransaction(Executor executor) {
    if (closed) {
      throw new IllegalStateException("Cannot access closed object");
    }
    return new SimulatedTransaction(this, new Settings(cluster.micros()));
  }

  @Override
  public Transaction createTransaction(Executor executor, EventKeeper eventKeeper) {
    return createTransaction(executor);
  }

  @Override
  public <T> T run(Function<? super Transaction, T> retryable, Executor executor) {
    Transaction transaction = createTransaction(executor);
    try {
      while (true) {
        try {
          T answer = retryable.apply(transaction);
          transaction.commit().join();
          return answer;
        } catch (RuntimeException e) {
          transaction = transaction.onError(e).join();
        }
      }
    } finally {
      transaction.close();
    }
  }

  @Override
  public <T> T read(Function<? super ReadTransaction, T> retryable, Executor executor) {
    return run(retryable, executor);
  }

  @Override
  public <T> CompletableFuture<T> runAsync(
      Function<? super Transaction, ? extends CompletableFuture<T>> retryable, Executor executor) {
    return CompletableFuture.completedFuture(
        run(transaction -> retryable.apply(transaction).join(), executor));
  }

  @Override
  public <T> CompletableFuture<T> readAsync(
      Function<? super ReadTransaction, ? extends CompletableFuture<T>> retryable,
      Executor executor) {
    return runAsync(retryable, executor);
  }

  @Override
  public Executor getExecutor() {
    return Runnable::run;
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public DatabaseOptions options() {
    throw SimulatedReads.unsupported("an option of the database");
  }

  @Override
  public double getMainThreadBusyness() {
    return 0;
  }

  @Override
  public Tenant openTenant(Tuple name) {
    throw SimulatedReads.unsupported("a tenant");
  }

  @Override
  public Tenant openTenant(byte[] name, Executor executor) {
    throw SimulatedReads.unsupported("a tenant");
  }

  @Override
  public Tenant openTenant(Tuple name, Executor executor) {
    throw SimulatedReads.unsupported("a tenant");
  }

  @Override
  public Tenant openTenant(byte[] name, Executor executor, EventKeeper eventKeeper) {
    throw SimulatedReads.unsupported("a tenant");
  }

  @Override
  public Tenant openTenant(Tuple name, Executor executor, EventKeeper eventKeeper) {
    throw SimulatedReads.unsupported("a tenant");
  }

  @Override
  public CompletableFuture<byte[]> purgeBlobGranules(
      byte[] begin, byte[] end, long version, boolean force, Executor executor) {
    throw SimulatedReads.unsupported("a blob granule");
  }

  @Override
  public CompletableFuture<Void> waitPurgeGranulesComplete(byte[] key, Executor executor) {
    throw SimulatedReads.unsupported("a blob granule");
  }

  @Override
  public CompletableFuture<Boolean> blobbifyRange(byte[] begin, byte[] end, Executor executor) {
    throw SimulatedReads.unsupported("a blob granule");
  }

  @Override
  public CompletableFuture<Boolean> blobbifyRangeBlocking(
      byte[] begin, byte[] end, Executor executor) {
    throw SimulatedReads.unsupported("a blob granule");
  }

  @Override
  public CompletableFuture<Boolean> unblobbifyRange(byte[] begin, byte[] end, Executor executor) {
    throw SimulatedReads.unsupported("a blob granule");
  }

  @Override
  public CompletableFuture<KeyRangeArrayResult> listBlobbifiedRanges(
      byte[] begin, byte[] end, int limit, Executor executor) {
    throw SimulatedReads.unsupported("a blob granule");
  }

  @Override
  public CompletableFuture<Long> verifyBlobRange(
      byte[] begin, byte[] end, long version, Executor executor) {
    throw SimulatedReads.unsupported("a blob granule");
  }

  @Override
  public CompletableFuture<Boolean> flushBlobRange(
      byte[] begin, byte[] end, boolean compact, long version, Executor executor) {
    throw SimulatedReads.unsupported("a blob granule");
  }

  @Override
  public CompletableFuture<byte[]> getClientStatus(Executor executor) {
    throw SimulatedReads.unsupported("the client's status");
  }
}
