package io.tidemark.core;

import io.tidemark.api.DrawVisitor;
import io.tidemark.api.SystemSequences;

/**
 * The transaction that draws now: where its workspace's numbers are, and what to undo.
 *
 * <p>Belongs to the caller between start and flush; reused, so that a transaction allocates
 * nothing. Whoever draws has checked that it is open. The cache's numbers change only when the
 * transaction is published, so there is nothing to undo.
 *
 * <p>Kind and numbers are those of the last transaction while none is open: storing a reference
 * costs a barrier, and the next transaction mostly has the same.
 */
final class OpenTransaction {
  private static final long[] NO_VALUES = {};
  private static final long OBSERVED = Long.MIN_VALUE;

  /** Per sequence: the number it stands at, then how many were drawn; 0 = untouched. */
  private static final int ROW = 2;

  private final int widest;
  private boolean open;
  private Kind kind = Kind.NONE;
  private long wsid;
  private long[] values = NO_VALUES;
  private int base;
  private boolean publishKind;

  private long[] rows = {};
  private int[] touched = {};
  private int touchedCount;
  private long[] scratch = {};

  OpenTransaction(int widest) {
    this.widest = widest;
  }

  /** Room for the numbers of any kind and the kind itself, for whoever opens the transaction. */
  long[] scratch() {
    if (scratch.length == 0) {
      scratch = new long[widest + 1];
    }
    return scratch;
  }

  boolean isOpen() {
    return open;
  }

  void begin(Kind ofKind, long ofWsid, long[] numbers, int at, boolean kindKnown) {
    if (rows.length == 0) {
      rows = new long[widest * ROW];
      touched = new int[widest];
    }
    if (kind != ofKind) {
      kind = ofKind;
    }
    if (values != numbers) {
      values = numbers;
    }
    wsid = ofWsid;
    base = at;
    publishKind = !kindKnown;
    open = true;
  }

  long draw(int seqId, int count) {
    int index = kind.indexOf(seqId);
    int row = index * ROW;
    long drawn = rows[row + 1];
    long before = drawn == 0 ? values[base + index] : rows[row];
    long first = kind.first(index, before, count);
    long last = count == 1 ? first : kind.last(index, first, before, count);
    if (drawn == 0) {
      touched[touchedCount++] = index;
    }
    rows[row] = last;
    rows[row + 1] = drawn + count;
    return first;
  }

  void observe(int seqId, long number) {
    int index = kind.indexOf(seqId);
    kind.requireInRange(index, number);
    int row = index * ROW;
    boolean untouched = rows[row + 1] == 0;
    if (number > (untouched ? values[base + index] : rows[row])) {
      if (untouched) {
        touched[touchedCount++] = index;
      }
      rows[row] = number;
      rows[row + 1] |= OBSERVED;
    }
  }

  void visit(DrawVisitor visitor) {
    for (int i = 0; i < touchedCount; i++) {
      int row = touched[i] * ROW;
      long count = rows[row + 1];
      visitor.visit(
          kind.storedIds[touched[i]], count & ~OBSERVED, rows[row], (count & OBSERVED) != 0);
    }
  }

  /** Hands its numbers to the cache and the queue, and ends it. */
  void publish(FlushQueue queue) {
    int home = Hash.mix(wsid);
    int left = touchedCount;
    while (left > 0) {
      int index = touched[--left];
      int row = index * ROW;
      long number = rows[row];
      rows[row + 1] = 0;
      values[base + index] = number;
      queue.merge(home, wsid, kind.storedIds[index], number);
    }
    if (publishKind) {
      queue.merge(home, wsid, SystemSequences.WORKSPACE_KIND, kind.wsKind);
    }
    touchedCount = 0;
    open = false;
  }

  /** Ends it; its numbers were never drawn. */
  void end() {
    while (touchedCount > 0) {
      rows[touched[--touchedCount] * ROW + 1] = 0;
    }
    open = false;
  }

  /** Ends it, and lets go of numbers that the cache has forgotten. */
  void abandon() {
    end();
    values = NO_VALUES;
  }
}
