package io.tidemark.storage.foundationdb;

import static java.util.Objects.requireNonNull;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.StorageCapability;
import io.tidemark.spi.UnknownApplicationException;
import io.tidemark.storage.foundationdb.Keys.PartitionKeys;
import io.tidemark.storage.foundationdb.MetaCodec.Ownership;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One process's connection to an application; all its handles work through it. */
final class FoundationDbAppStorage implements IAppStorage {
  private static final int MAX_NAME_BYTES = 200;

  private final String application;
  private final Layout layout;
  private final Keys keys;
  private final Limits limits;
  private final Transactions transactions;
  private final LongSupplier nanoTime;
  private final Runnable whenClosed;
  private volatile boolean closed;

  private FoundationDbAppStorage(
      String application,
      Layout layout,
      Keys keys,
      Limits limits,
      Transactions transactions,
      LongSupplier nanoTime,
      Runnable whenClosed) {
    this.application = application;
    this.layout = layout;
    this.keys = keys;
    this.limits = limits;
    this.transactions = transactions;
    this.nanoTime = nanoTime;
    this.whenClosed = whenClosed;
  }

  static FoundationDbAppStorage open(
      Database database,
      FoundationDbStorageConfig config,
      String application,
      @Nullable Layout asked,
      LongSupplier nanoTime,
      Runnable whenClosed) {
    int nameBytes = application.getBytes(StandardCharsets.UTF_8).length;
    if (application.isBlank() || nameBytes > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "an application's name has 1..%d bytes and is not blank, was '%s'"
              .formatted(MAX_NAME_BYTES, application));
    }
    Keys keys = new Keys(config.prefix(), application);
    Transactions transactions = new Transactions(database, config);
    Layout stored =
        transactions.writeWithId(
            "open application '" + application + "'",
            transaction -> layout(transaction, keys, application, asked));
    int rootBytes = config.prefix().getBytes(StandardCharsets.UTF_8).length + nameBytes;
    return new FoundationDbAppStorage(
        application,
        stored,
        keys,
        new Limits(new TransactionSize(rootBytes), config.transactionBytes()),
        transactions,
        nanoTime,
        whenClosed);
  }

  private static Layout layout(
      Transaction transaction, Keys keys, String application, @Nullable Layout asked) {
    byte[] stored = transaction.get(keys.layout()).join();
    if (stored != null) {
      Layout found = MetaCodec.layout(stored);
      return asked == null ? found : found.requireSame(asked);
    }
    if (asked == null) {
      throw new UnknownApplicationException(application);
    }
    transaction.set(keys.layout(), MetaCodec.layout(asked));
    return asked;
  }

  @Override
  public String application() {
    return application;
  }

  @Override
  public Layout layout() {
    return layout;
  }

  @Override
  public Set<StorageCapability> capabilities() {
    return EnumSet.allOf(StorageCapability.class);
  }

  /** Carries its claim id: one that may have been written looks for itself and is not repeated. */
  @Override
  public IPartitionStorage claim(int partition, String owner) {
    requireNonNull(owner, "owner");
    PartitionKeys place = keys.partition(layout.requirePartition(partition));
    UUID claimId = UUID.randomUUID();
    return transactions()
        .writeWithId(
            "claim partition " + partition + " of " + this,
            transaction -> {
              Ownership held = MetaCodec.ownership(transaction.get(place.epoch()).join());
              // Read with a conflict range: a generation that is activated meanwhile is the new
              // owner's.
              byte[] generations = transaction.get(place.generation()).join();
              Epoch epoch = held.epoch();
              if (!epoch.claimId().equals(claimId)) {
                epoch = epoch.next(claimId);
                transaction.set(place.epoch(), MetaCodec.ownership(epoch, owner));
              }
              return new FoundationDbPartition(
                  this, partition, epoch, MetaCodec.generations(generations).inUse());
            });
  }

  @Override
  public IPartitionReader reader(int partition) {
    requireOpen();
    return new FoundationDbPartitionReader(this, partition);
  }

  /** In as few transactions as fit, as long as every handle is this storage's and not wrapped. */
  @Override
  public void writeSeqData(List<SeqDataBatch> batches) {
    SeqDataWrites writes = new SeqDataWrites();
    for (SeqDataBatch batch : batches) {
      if (!(batch.partition() instanceof FoundationDbPartition handle) || !handle.isOf(this)) {
        IAppStorage.super.writeSeqData(batches);
        return;
      }
      handle.addTo(writes, batch.values(), batch.nextOffset());
    }
    write("write numbers of " + this, writes);
  }

  void write(String what, SeqDataWrites writes) {
    writes.write(what, transactions(), limits.numbersPerTransaction());
  }

  @Override
  public FoundationDbSequences sequences(String owner) {
    return FoundationDbSequences.claim(this, requireNonNull(owner, "owner"));
  }

  Keys keys() {
    return keys;
  }

  Limits limits() {
    return limits;
  }

  LongSupplier nanoTime() {
    return nanoTime;
  }

  Transactions transactions() {
    requireOpen();
    return transactions;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the storage of " + this + " is closed");
    }
  }

  /** Ends this connection; other ones of the application go on. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      whenClosed.run();
    }
  }

  @Override
  public String toString() {
    return "application '" + application + "'";
  }
}
