package io.tidemark.tck;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.StorageCapability;
import io.tidemark.spi.WLogRow;
import io.tidemark.storage.memory.MemoryStore;
import io.tidemark.storage.memory.MemoryTransaction;
import io.tidemark.storage.memory.RawRows;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A memory storage with one saboteur in it. */
final class SabotagedApp implements IAppStorage {
  final IAppStorage real;
  final MemoryStore store;

  /** What the saboteur remembers of this application, over all its connections. */
  final Map<String, Object> memory;

  private final Saboteur saboteur;

  private static final Map<String, Map<String, Object>> MEMORIES = new ConcurrentHashMap<>();

  SabotagedApp(IAppStorage real, MemoryStore store, Saboteur saboteur) {
    this.real = real;
    this.store = store;
    this.saboteur = saboteur;
    memory =
        MEMORIES.computeIfAbsent(
            saboteur.name() + " " + real.application(), name -> new ConcurrentHashMap<>());
  }

  /** Puts an event behind the storage's back. */
  void force(int partition, PLogEvent event) {
    store.plantPLog(application(), partition, event.offset(), event.toBytes());
  }

  void force(int partition, WLogRow row) {
    new RawRows(store).putWLog(application(), partition, row);
  }

  void force(int partition, RecordRow row) {
    new RawRows(store)
        .putRecord(
            application(),
            partition,
            new RecordRow(row.wsid(), row.recordId(), row.plogOffset(), false, row.data()));
  }

  void forceNumber(int partition, long wsid, int seqId, long number) {
    new RawRows(store).putNumber(application(), partition, wsid, seqId, number);
  }

  void forceOffset(int partition, long nextOffset) {
    new RawRows(store).putNextOffset(application(), partition, nextOffset);
  }

  @Override
  public String application() {
    return real.application();
  }

  @Override
  public Layout layout() {
    return saboteur.layouts().apply(real.layout());
  }

  @Override
  public Set<StorageCapability> capabilities() {
    return saboteur.capabilities().apply(real.capabilities());
  }

  @Override
  public IPartitionStorage claim(int partition, String owner) {
    return saboteur.handles().wrap(this, saboteur.claims().claim(this, partition, owner));
  }

  @Override
  public IPartitionReader reader(int partition) {
    return saboteur.readers().wrap(this, partition, real.reader(partition));
  }

  @Override
  public void writeSeqData(List<SeqDataBatch> batches) {
    IAppStorage.super.writeSeqData(saboteur.batches().apply(batches));
  }

  @Override
  @SuppressWarnings("unchecked") // a memory storage's transactions are of this type
  public ISequenceStorage<?> sequences(String owner) {
    return saboteur
        .sequences()
        .wrap(this, () -> (ISequenceStorage<MemoryTransaction>) real.sequences(owner));
  }

  @Override
  public void close() {
    real.close();
  }
}
