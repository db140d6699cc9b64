package io.tidemark.pipeline;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.StorageCapability;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A storage without atomic commits: every stage of the pipeline is a write of its own. */
final class StepwiseStorage implements IAppStorage {
  private final IAppStorage storage;

  StepwiseStorage(IAppStorage storage) {
    this.storage = storage;
  }

  @Override
  public Set<StorageCapability> capabilities() {
    Set<StorageCapability> fewer = EnumSet.copyOf(storage.capabilities());
    fewer.remove(StorageCapability.ATOMIC_COMMIT);
    return fewer;
  }

  @Override
  public String application() {
    return storage.application();
  }

  @Override
  public Layout layout() {
    return storage.layout();
  }

  @Override
  public IPartitionStorage claim(int partition, String owner) {
    return storage.claim(partition, owner);
  }

  @Override
  public IPartitionReader reader(int partition) {
    return storage.reader(partition);
  }

  @Override
  public void writeSeqData(List<SeqDataBatch> batches) {
    storage.writeSeqData(batches);
  }

  @Override
  public ISequenceStorage<?> sequences(String owner) {
    return storage.sequences(owner);
  }

  @Override
  public void close() {
    storage.close();
  }
}
