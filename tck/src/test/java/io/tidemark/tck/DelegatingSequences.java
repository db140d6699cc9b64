package io.tidemark.tck;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.storage.memory.MemoryTransaction;
import java.util.List;
import java.util.function.Consumer;

/** Passes everything on; a saboteur overrides what it breaks. */
class DelegatingSequences implements ISequenceStorage<MemoryTransaction> {
  final ISequenceStorage<MemoryTransaction> real;

  DelegatingSequences(ISequenceStorage<MemoryTransaction> real) {
    this.real = real;
  }

  @Override
  public Class<MemoryTransaction> transactionType() {
    return real.transactionType();
  }

  @Override
  public void transact(Consumer<MemoryTransaction> work) {
    real.transact(work);
  }

  @Override
  public long create(MemoryTransaction transaction, SequenceDefinition definition) {
    return real.create(transaction, definition);
  }

  @Override
  public void alter(MemoryTransaction transaction, long id, SequenceDefinition definition) {
    real.alter(transaction, id, definition);
  }

  @Override
  public void drop(MemoryTransaction transaction, long id) {
    real.drop(transaction, id);
  }

  @Override
  public List<CatalogEntry> catalog() {
    return real.catalog();
  }

  @Override
  public void put(MemoryTransaction transaction, long id, VersionedValue value) {
    real.put(transaction, id, value);
  }

  @Override
  public VersionedValue getLatest(long id) {
    return real.getLatest(id);
  }

  @Override
  public void prune(long id) {
    real.prune(id);
  }
}
