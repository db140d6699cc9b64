package io.tidemark.storage.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A caller's transaction in a {@link MemoryStore}; begun with {@link MemoryStore#begin}.
 *
 * <p>Nothing of it is seen before {@link #commit}. Committed is not yet durable in a store that is
 * volatile until {@link MemoryStore#sync}. Closing it without a commit rolls it back.
 *
 * <p><b>Threads.</b> Safe for use by many threads at once.
 */
public final class MemoryTransaction implements AutoCloseable {
  /** A change to the sequences of one application, under one claim. */
  private record Change(SequenceState sequences, long claim, Runnable apply) {}

  private final MemoryStore store;
  private final long crashes;
  private final List<Change> changes = new ArrayList<>();

  /** The sequences this transaction created (true) or dropped (false). */
  private final Map<SequenceState, Map<Long, Boolean>> own = new HashMap<>();

  private boolean open = true;
  private boolean applied;

  MemoryTransaction(MemoryStore store, long crashes) {
    this.store = store;
    this.crashes = crashes;
  }

  /** Whether it can still take changes. */
  public boolean isOpen() {
    return store.requests().atomically(() -> open);
  }

  /**
   * Makes every change, or none, and ends the transaction, also when it fails.
   *
   * @throws io.tidemark.api.FencedException if the sequences it changes were claimed meanwhile
   * @throws io.tidemark.api.StorageUnavailableException if the store crashed meanwhile
   * @throws IllegalStateException if it is finished
   */
  public void commit() {
    commit(() -> {});
  }

  /** Commits, then does {@code andThen} in the same step. */
  void commit(Runnable andThen) {
    store
        .requests()
        .step(
            () -> {
              requireOpen("commit");
              open = false;
              store
                  .requests()
                  .write(
                      StorageCall.COMMIT_TRANSACTION,
                      this,
                      () -> {
                        apply();
                        andThen.run();
                      });
            });
  }

  private void apply() {
    if (applied) {
      return;
    }
    store.requireNoCrashSince(crashes);
    for (Change change : changes) {
      change.sequences().requireClaim(change.claim(), "commit");
    }
    applied = true;
    changes.forEach(change -> change.apply().run());
  }

  /** Forgets every change; does nothing to a finished transaction. */
  public void rollback() {
    store.requests().step(() -> open = false);
  }

  /** Rolls back what was not committed. */
  @Override
  public void close() {
    rollback();
  }

  /** Needs the lock. */
  void add(SequenceState sequences, long claim, Runnable apply) {
    changes.add(new Change(sequences, claim, apply));
  }

  /** Needs the lock. */
  void setExists(SequenceState sequences, long id, boolean exists) {
    own.computeIfAbsent(sequences, unused -> new HashMap<>()).put(id, exists);
  }

  /** Whether the sequence exists as this transaction sees it. Needs the lock. */
  boolean exists(SequenceState sequences, long id) {
    Boolean changed = own.getOrDefault(sequences, Map.of()).get(id);
    return changed != null ? changed : sequences.exists(id);
  }

  /** Needs the lock. */
  void requireUsable(MemoryStore by, String what) {
    if (by != store) {
      throw new IllegalArgumentException(what + ": the transaction belongs to another store");
    }
    requireOpen(what);
  }

  private void requireOpen(String what) {
    if (!open) {
      throw new IllegalStateException(what + ": the transaction is finished");
    }
  }

  @Override
  public String toString() {
    return "a transaction of " + changes.size() + " changes";
  }
}
