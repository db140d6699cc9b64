package io.tidemark.core;

import java.util.Arrays;

/**
 * Numbers of workspaces of one kind: an open-addressing index from workspace to slot, and slots of
 * one {@code long[]}, each a workspace and its numbers side by side. Nothing is boxed, and a slot
 * never moves while it is in use.
 *
 * <p>An entry of the index has all that finding and evicting look at: the workspace's hash, where
 * its numbers begin, and its marks. So a look-up touches one place of the index and one slot, and
 * eviction none of the slots that stay. Eviction is CLOCK: one hand, which walks the index.
 */
final class KindTable {
  /** What {@link #find} answers when the workspace is not here. */
  static final int NONE = 0;

  private static final int FIRST_SLOTS = 4;

  /**
   * Marks, in the lowest bits of an entry; where the numbers begin is above them, then the hash.
   */
  private static final int RECENT = 1;

  private static final int KIND_KNOWN = 2;
  private static final int MARK_BITS = 2;
  private static final int HASH_SHIFT = 32;

  private final int stride; // the workspace, in a free slot the next free one; then the numbers
  private long[] index = new long[2 * FIRST_SLOTS]; // 0 = empty
  private long[] values;
  private int size;
  private int fresh; // from here on no slot was ever used
  private int firstFree = -1;
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

  /** The entry of a workspace, marked as used lately, or {@link #NONE}. */
  int find(long wsid) {
    int at = place(wsid);
    long entry = index[at];
    if (entry != 0 && (entry & RECENT) == 0) {
      index[at] = entry | RECENT;
    }
    return (int) entry;
  }

  /** Where the workspace's entry is, or the empty place where it would be. */
  private int place(long wsid) {
    int mask = index.length - 1;
    int hash = Hash.mix(wsid);
    int at = hash & mask;
    for (long entry = index[at]; entry != 0; entry = index[at]) {
      if ((int) (entry >>> HASH_SHIFT) == hash && values[base((int) entry) - 1] == wsid) {
        break;
      }
      at = at + 1 & mask;
    }
    return at;
  }

  /** Where in {@link #values} the numbers of an entry begin. */
  static int base(int entry) {
    return entry >>> MARK_BITS;
  }

  static boolean kindKnown(int entry) {
    return (entry & KIND_KNOWN) != 0;
  }

  /** A new entry for a workspace that is not here; its numbers are 0. */
  int insert(long wsid, boolean kindKnown) {
    int slot = takeSlot();
    values[slot] = wsid;
    Arrays.fill(values, slot + 1, slot + stride, 0);
    size++;
    if (size * 3L > index.length * 2L) {
      growIndex();
    }
    int entry = ((slot + 1) << MARK_BITS) | (kindKnown ? KIND_KNOWN : 0);
    index[place(wsid)] = ((long) Hash.mix(wsid) << HASH_SHIFT) | Integer.toUnsignedLong(entry);
    return entry;
  }

  long[] values() {
    return values;
  }

  void setKindKnown(long wsid) {
    int at = place(wsid);
    if (index[at] != 0) {
      index[at] |= KIND_KNOWN;
    }
  }

  /** Removes a workspace whose kind is not known; answers whether there was one. */
  boolean removeOfUnknownKind(long wsid) {
    int at = place(wsid);
    if (index[at] == 0 || kindKnown((int) index[at])) {
      return false;
    }
    remove(at);
    return true;
  }

  /** Frees one slot that was not used since the hand last passed, never the one pinned. */
  boolean evict(int pinned) {
    for (int left = 2 * index.length; left > 0; left--) {
      hand = hand + 1 & index.length - 1;
      long entry = index[hand];
      if (entry == 0 || base((int) entry) == pinned) {
        continue;
      }
      if ((entry & RECENT) != 0) {
        index[hand] = entry & ~RECENT;
      } else {
        remove(hand);
        return true;
      }
    }
    return false;
  }

  private void remove(int at) {
    int slot = base((int) index[at]) - 1;
    closeGap(at);
    values[slot] = firstFree;
    firstFree = slot;
    size--;
  }

  private int takeSlot() {
    if (firstFree >= 0) {
      int slot = firstFree;
      firstFree = (int) values[slot];
      return slot;
    }
    if (fresh + stride > values.length) {
      values = Arrays.copyOf(values, (size + size / 2) * stride);
    }
    int slot = fresh;
    fresh += stride;
    return slot;
  }

  private void growIndex() {
    long[] old = index;
    index = new long[old.length * 2];
    int mask = index.length - 1;
    for (long entry : old) {
      if (entry != 0) {
        int at = (int) (entry >>> HASH_SHIFT) & mask;
        while (index[at] != 0) {
          at = at + 1 & mask;
        }
        index[at] = entry;
      }
    }
  }

  /** Empties a place of the index and closes the gap, so that no search stops short. */
  private void closeGap(int place) {
    int mask = index.length - 1;
    int gap = place;
    for (int at = gap + 1 & mask; index[at] != 0; at = at + 1 & mask) {
      int home = (int) (index[at] >>> HASH_SHIFT) & mask;
      if ((at - home & mask) >= (at - gap & mask)) {
        index[gap] = index[at];
        gap = at;
      }
    }
    index[gap] = 0;
  }
}
