package io.tidemark.pipeline;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.StorageCapability;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The application as its flusher sees it: what goes to the storage are the storage's handles. */
final class OwnedApplication implements IAppStorage {
  private final IAppStorage storage;

  OwnedApplication(IAppStorage storage) {
    this.storage = storage;
  }

  @Override
  public void writeSeqData(List<SeqDataBatch> batches) {
    List<SeqDataBatch> own = new ArrayList<>(batches.size());
    for (SeqDataBatch batch : batches) {
      IPartitionStorage handle = batch.partition();
      own.add(
          handle instanceof OwnedPartition owned
              ? new SeqDataBatch(owned.storage(), batch.values(), batch.nextOffset())
              : batch);
    }
    storage.writeSeqData(own);
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
  public Set<StorageCapability> capabilities() {
    return storage.capabilities();
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
  public ISequenceStorage<?> sequences(String owner) {
    return storage.sequences(owner);
  }

  /** The storage is its opener's to close. */
  @Override
  public void close() {}
}
