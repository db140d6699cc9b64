package io.tidemark.storage.memory;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.ISequenceStorage;
import java.util.List;
import java.util.function.Consumer;

/** One owner's claim of an application's SQL-like sequences. */
final class MemorySequences implements ISequenceStorage<MemoryTransaction> {
  private final MemoryStore store;
  private final MemoryAppStorage app;
  private final SequenceState state;
  private final long claim;

  MemorySequences(MemoryStore store, MemoryAppStorage app, SequenceState state, long claim) {
    this.store = store;
    this.app = app;
    this.state = state;
    this.claim = claim;
  }

  @Override
  public Class<MemoryTransaction> transactionType() {
    return MemoryTransaction.class;
  }

  /** Durable on return, also in a store that is volatile: all that was committed before is too. */
  @Override
  public void transact(Consumer<MemoryTransaction> work) {
    try (MemoryTransaction transaction = store.begin()) {
      work.accept(transaction);
      transaction.commit(store::sync);
    }
  }

  @Override
  public long create(MemoryTransaction transaction, SequenceDefinition definition) {
    requireNonNull(definition, "definition");
    return app.atomically(
        () -> {
          requireUsable(transaction, "create");
          long id = state.newId();
          transaction.setExists(state, id, true);
          transaction.add(state, claim, () -> state.create(id, definition));
          return id;
        });
  }

  @Override
  public void alter(MemoryTransaction transaction, long id, SequenceDefinition definition) {
    requireNonNull(definition, "definition");
    change(transaction, "alter", id, () -> state.alter(id, definition));
  }

  @Override
  public void drop(MemoryTransaction transaction, long id) {
    app.step(
        () -> {
          change(transaction, "drop", id, () -> state.drop(id));
          transaction.setExists(state, id, false);
        });
  }

  @Override
  public void put(MemoryTransaction transaction, long id, VersionedValue value) {
    if (value.version() < 1) {
      throw new IllegalArgumentException("version must be >= 1, was " + value.version());
    }
    change(transaction, "put", id, () -> state.put(id, value));
  }

  private void change(MemoryTransaction transaction, String what, long id, Runnable apply) {
    app.step(
        () -> {
          requireUsable(transaction, what);
          if (!transaction.exists(state, id)) {
            throw state.unknown(id);
          }
          transaction.add(state, claim, apply);
        });
  }

  private void requireUsable(MemoryTransaction transaction, String what) {
    transaction.requireUsable(store, what);
    state.requireClaim(claim, what);
  }

  @Override
  public List<CatalogEntry> catalog() {
    return app.read(StorageCall.READ_SEQUENCES, state, state::catalog);
  }

  @Override
  public VersionedValue getLatest(long id) {
    return app.read(StorageCall.READ_SEQUENCES, state, () -> state.latest(id));
  }
}
