package io.tidemark.core;

import java.util.Arrays;

/**
 * Numbers of workspaces of one kind: an open-addressing index from workspace to slot, and slots of
 * one {@code long[]}, each a workspace and its numbers side by side. Eviction is CLOCK: one hand,
 * one bit per slot. Nothing is boxed, and a slot never moves while it is in use.
 */
final class KindTable {
  static final int NONE = -1;

  private static final int FIRST_SLOTS = 4;
  private static final byte FREE = 0;
  private static final byte USED = 1;
  private static final byte RECENT = 2;
  private static final byte KIND_KNOWN = 4;

  private final int stride; // the workspace, in a free slot the next free one; then the numbers
  private int[] index = new int[FIRST_SLOTS * 2]; // slot + 1, 0 = empty
  private byte[] flags = new byte[FIRST_SLOTS];
  private long[] values;
  private int size;
  private int fresh; // slots from here on were never used
  private int firstFree = NONE;
  private int hand;

  KindTable(int sequences) {
    this.stride = sequences + 1;
    values = new long[FIRST_SLOTS * stride];
  }

  /** What one entry counts against the budget. */
  int cost() {
    return Math.max(1, stride - 1);
  }

  long numbers() {
    return (long) size * cost();
  }

  /** The slot of a workspace, marked as used lately, or {@link #NONE}. */
  int find(long wsid) {
    int mask = index.length - 1;
    for (int i = hash(wsid) & mask; ; i = i + 1 & mask) {
      int slot = index[i] - 1;
      if (slot == NONE) {
        return NONE;
      }
      if (values[slot * stride] == wsid) {
        flags[slot] |= RECENT;
        return slot;
      }
    }
  }

  /** A new slot for a workspace that is not here; its numbers are 0. */
  int insert(long wsid) {
    int slot = takeSlot();
    flags[slot] = USED;
    values[slot * stride] = wsid;
    Arrays.fill(values, base(slot), (slot + 1) * stride, 0);
    size++;
    link(slot);
    return slot;
  }

  long[] values() {
    return values;
  }

  int base(int slot) {
    return slot * stride + 1;
  }

  boolean kindKnown(int slot) {
    return (flags[slot] & KIND_KNOWN) != 0;
  }

  void setKindKnown(int slot) {
    flags[slot] |= KIND_KNOWN;
  }

  /** Frees one slot other than {@code pinned} that was not used since the hand last passed. */
  boolean evict(int pinned) {
    for (int left = 2 * fresh; left > 0; left--) {
      hand = hand + 1 < fresh ? hand + 1 : 0;
      if (flags[hand] == FREE || hand == pinned) {
        continue;
      }
      if ((flags[hand] & RECENT) != 0) {
        flags[hand] &= ~RECENT;
      } else {
        remove(hand);
        return true;
      }
    }
    return false;
  }

  void remove(int slot) {
    unlink(slot);
    flags[slot] = FREE;
    values[slot * stride] = firstFree;
    firstFree = slot;
    size--;
  }

  private int takeSlot() {
    if (firstFree != NONE) {
      int slot = firstFree;
      firstFree = (int) values[slot * stride];
      return slot;
    }
    if (fresh == flags.length) {
      int slots = fresh * 2;
      flags = Arrays.copyOf(flags, slots);
      values = Arrays.copyOf(values, slots * stride);
      index = new int[slots * 2];
      for (int slot = 0; slot < fresh; slot++) {
        link(slot);
      }
    }
    return fresh++;
  }

  private void link(int slot) {
    int mask = index.length - 1;
    int i = hash(values[slot * stride]) & mask;
    while (index[i] != 0) {
      i = i + 1 & mask;
    }
    index[i] = slot + 1;
  }

  /** Empties the slot's place in the index and closes the gap, so that no probe stops short. */
  private void unlink(int slot) {
    int mask = index.length - 1;
    int gap = hash(values[slot * stride]) & mask;
    while (index[gap] != slot + 1) {
      gap = gap + 1 & mask;
    }
    for (int i = gap + 1 & mask; index[i] != 0; i = i + 1 & mask) {
      int home = hash(values[(index[i] - 1) * stride]) & mask;
      if ((i - home & mask) >= (i - gap & mask)) {
        index[gap] = index[i];
        gap = i;
      }
    }
    index[gap] = 0;
  }

  private static int hash(long wsid) {
    return Hash.mix(wsid);
  }
}
