package io.tidemark.tck;

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

/** The storage under test, with faults between it and the engine. */
final class FaultyApp implements IAppStorage {
  private final IAppStorage real;
  private final Faults faults;
  private final EngineHistory history;

  FaultyApp(IAppStorage real, Faults faults, EngineHistory history) {
    this.real = real;
    this.faults = faults;
    this.history = history;
  }

  @Override
  public FaultyHandle claim(int partition, String owner) {
    IPartitionStorage claimed = real.claim(partition, owner);
    return new FaultyHandle(claimed, faults, history, history.claimed());
  }

  @Override
  public void writeSeqData(List<SeqDataBatch> batches) {
    if (!faults.isQuiet()) {
      IAppStorage.super.writeSeqData(batches);
      return;
    }
    List<SeqDataBatch> direct = new ArrayList<>();
    for (SeqDataBatch batch : batches) {
      FaultyHandle handle = (FaultyHandle) batch.partition();
      direct.add(new SeqDataBatch(handle.real(), batch.values(), batch.nextOffset()));
    }
    real.writeSeqData(direct);
  }

  @Override
  public String application() {
    return real.application();
  }

  @Override
  public Layout layout() {
    return real.layout();
  }

  @Override
  public Set<StorageCapability> capabilities() {
    return real.capabilities();
  }

  @Override
  public IPartitionReader reader(int partition) {
    return real.reader(partition);
  }

  @Override
  public ISequenceStorage<?> sequences(String owner) {
    return real.sequences(owner);
  }

  @Override
  public void close() {
    real.close();
  }
}
