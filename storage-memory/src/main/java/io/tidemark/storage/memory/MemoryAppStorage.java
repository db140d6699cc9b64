package io.tidemark.storage.memory;

import static java.util.Objects.requireNonNull;

import io.tidemark.spi.Epoch;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.StorageCapability;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One process's connection to an application; all its handles work through it. */
final class MemoryAppStorage implements IAppStorage {
  private final MemoryStore store;
  private final Requests requests;
  private final AppState state;
  private volatile boolean closed;

  MemoryAppStorage(MemoryStore store, Requests requests, AppState state) {
    this.store = store;
    this.requests = requests;
    this.state = state;
  }

  @Override
  public String application() {
    return state.name();
  }

  @Override
  public Layout layout() {
    return state.layout();
  }

  /** Neither DURABLE nor MULTI_PROCESS: what is here ends with the real process. */
  @Override
  public Set<StorageCapability> capabilities() {
    return EnumSet.of(
        StorageCapability.ATOMIC_COMMIT,
        StorageCapability.FENCING_AT_LEVEL_2,
        StorageCapability.TRANSACTIONAL_SEQUENCES,
        StorageCapability.FENCED_SEQUENCES);
  }

  @Override
  public IPartitionStorage claim(int partition, String owner) {
    requireNonNull(owner, "owner");
    return atomically(
        () -> {
          PartitionState claimed = state.partition(partition);
          Epoch from = claimed.epoch();
          Epoch to = from.next(newClaimId());
          write(StorageCall.CLAIM, claimed, () -> claimed.move(from, to, owner, StorageCall.CLAIM));
          return new MemoryPartition(this, claimed, partition, to, claimed.generation());
        });
  }

  @Override
  public IPartitionReader reader(int partition) {
    return atomically(() -> new MemoryPartitionReader(this, state.partition(partition)));
  }

  /** One request for all, as long as every handle is this storage's own and not wrapped. */
  @Override
  public void writeSeqData(List<SeqDataBatch> batches) {
    List<Runnable> parts = new ArrayList<>(batches.size());
    for (SeqDataBatch batch : batches) {
      if (!(batch.partition() instanceof MemoryPartition handle) || !handle.isOf(this)) {
        IAppStorage.super.writeSeqData(batches);
        return;
      }
      parts.add(handle.seqDataRequest(batch.values(), batch.nextOffset()));
    }
    write(StorageCall.WRITE_SEQ_DATA, this, () -> parts.forEach(Runnable::run));
  }

  @Override
  public MemorySequences sequences(String owner) {
    requireNonNull(owner, "owner");
    return atomically(
        () -> {
          SequenceState sequences = state.sequences();
          long from = sequences.claim();
          long to = sequences.newClaim();
          write(StorageCall.CLAIM_SEQUENCES, sequences, () -> sequences.move(from, to, owner));
          return new MemorySequences(store, this, sequences, to);
        });
  }

  GroupLimit groupLimit() {
    return store.groupLimit();
  }

  UUID newClaimId() {
    return store.newClaimId();
  }

  <T extends @Nullable Object> T atomically(Supplier<T> step) {
    requireOpen();
    return requests.atomically(step);
  }

  void step(Runnable step) {
    requireOpen();
    requests.step(step);
  }

  <T extends @Nullable Object> T read(StorageCall call, Object target, Supplier<T> request) {
    requireOpen();
    return requests.read(call, target, request);
  }

  void write(StorageCall call, Object target, Runnable request) {
    requireOpen();
    requests.write(call, target, request);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the storage of " + this + " is closed");
    }
  }

  /** Ends this connection; other ones of the application go on. */
  @Override
  public void close() {
    closed = true;
  }

  @Override
  public String toString() {
    return "application '" + state.name() + "'";
  }
}
