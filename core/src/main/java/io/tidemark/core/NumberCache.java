package io.tidemark.core;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of recently used workspaces of one sequencer, bounded by a {@link CacheBudget} that
 * all sequencers share.
 *
 * <p>Guarded by the sequencer's lock. Only {@link #tryEvictOne} may come from another sequencer's
 * thread, and it gives up rather than wait for the lock. The open transaction's entry is pinned: it
 * never moves and is never evicted.
 */
final class NumberCache {
  private static final int NO_SLOT = -1;

  private final ShortLock lock;
  private final CacheBudget budget;

  private final @Nullable KindTable[] tables;

  /** Written under the lock; a glance may be a little old. */
  private final AtomicLong used = new AtomicLong();

  /** The table pinned last; kept when unpinned, as storing a reference costs a barrier. */
  private @Nullable KindTable pinnedTable;

  private long pinnedWsid;
  private int pinnedSlot = NO_SLOT;

  NumberCache(ShortLock lock, CacheBudget budget, int kinds) {
    this.lock = lock;
    this.budget = budget;
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

  void pin(KindTable table, int slot, long wsid) {
    if (pinnedTable != table) {
      pinnedTable = table;
    }
    pinnedSlot = slot;
    pinnedWsid = wsid;
  }

  /** The pinned workspace's kind is on its way to storage. */
  void pinnedKindKnown() {
    if (pinnedTable != null && pinnedSlot != NO_SLOT) {
      pinnedTable.setKindKnown(pinnedWsid);
    }
  }

  void unpin() {
    pinnedSlot = NO_SLOT;
  }

  /**
   * After a cancel: an entry whose kind nobody knows yet goes, because the workspace may get
   * another kind and its numbers then live in another table.
   */
  void unpinCancelled() {
    KindTable table = pinnedTable;
    if (table != null && pinnedSlot != NO_SLOT && table.removeOfUnknownKind(pinnedWsid)) {
      grow(-table.cost());
      budget.release(table.cost());
    }
    unpin();
  }

  /** Evicts one entry that was not used lately; false if every entry is pinned. */
  boolean evictOne() {
    KindTable largest = null;
    for (KindTable table : tables) {
      if (table != null && (largest == null || table.numbers() > largest.numbers())) {
        largest = table;
      }
    }
    if (largest == null || !largest.evict(largest == pinnedTable ? pinnedSlot : NO_SLOT)) {
      return false;
    }
    grow(-largest.cost());
    budget.release(largest.cost());
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
    pinnedTable = null;
    unpin();
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
