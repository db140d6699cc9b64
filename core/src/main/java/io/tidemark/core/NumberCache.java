package io.tidemark.core;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of recently used workspaces of one sequencer, bounded by a {@link CacheBudget} that
 * all sequencers share.
 *
 * <p>Guarded by the sequencer's lock. Only {@link #tryEvictOne} may come from another sequencer's
 * thread, and it gives up rather than wait for the lock. The open transaction's entry never moves
 * and is never evicted.
 */
final class NumberCache {
  private final ShortLock lock;
  private final CacheBudget budget;
  private final OpenTransaction transaction;

  private final @Nullable KindTable[] tables;

  /** Written under the lock; a glance may be a little old. */
  private final AtomicLong used = new AtomicLong();

  NumberCache(ShortLock lock, CacheBudget budget, OpenTransaction transaction, int kinds) {
    this.lock = lock;
    this.budget = budget;
    this.transaction = transaction;
    this.tables = new KindTable[kinds];
    budget.join(this);
  }

  /** How many numbers it holds; a glance from any thread. */
  long used() {
    return used.getOpaque();
  }

  /** The table of a kind. */
  KindTable table(Kind kind) {
    KindTable table = tables[kind.ordinal];
    if (table == null) {
      table = new KindTable(kind.size);
      tables[kind.ordinal] = table;
    }
    return table;
  }

  /** Makes an entry for the workspace, or answers {@link KindTable#NONE} without any room. */
  int insert(Kind kind, long wsid, boolean kindKnown) {
    KindTable table = table(kind);
    if (!budget.acquire(this, table.cost())) {
      return KindTable.NONE;
    }
    grow(table.cost());
    return table.insert(wsid, kindKnown);
  }

  /** The workspace's kind is on its way to storage. */
  void kindKnown(Kind kind, long wsid) {
    table(kind).setKindKnown(wsid);
  }

  /**
   * Forgets a workspace whose kind nobody knows, after a cancel: it may get another kind, and its
   * numbers then live in another table.
   */
  void forgetUnknown(Kind kind, long wsid) {
    KindTable table = table(kind);
    if (table.removeOfUnknownKind(wsid)) {
      grow(-table.cost());
      budget.release(table.cost());
    }
  }

  /** Evicts one entry that was not used lately; false if there is none but the open one. */
  boolean evictOne() {
    KindTable largest = null;
    for (KindTable table : tables) {
      if (table != null && (largest == null || table.numbers() > largest.numbers())) {
        largest = table;
      }
    }
    if (largest != null && evictOne(largest)) {
      return true;
    }
    for (KindTable table : tables) {
      if (table != null && table != largest && evictOne(table)) {
        return true;
      }
    }
    return false;
  }

  private boolean evictOne(KindTable table) {
    if (!table.evict(transaction.baseIn(table.values()))) {
      return false;
    }
    grow(-table.cost());
    budget.release(table.cost());
    return true;
  }

  /** Like {@link #evictOne}, for another sequencer's thread. */
  boolean tryEvictOne() {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      return evictOne();
    } finally {
      lock.unlock();
    }
  }

  /** Forgets everything. */
  void clear() {
    Arrays.fill(tables, null);
    budget.release(used.getPlain());
    used.setOpaque(0);
  }

  /** Forgets everything and gives up its share. */
  void close() {
    clear();
    budget.leave(this);
  }

  private void grow(int numbers) {
    used.setOpaque(used.getPlain() + numbers);
  }
}
