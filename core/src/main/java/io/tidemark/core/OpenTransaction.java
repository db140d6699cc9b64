package io.tidemark.core;

import io.tidemark.api.DrawVisitor;
import io.tidemark.api.SystemSequences;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that draws now: where its workspace's numbers are, and what was drawn.
 *
 * <p>Belongs to the caller between start and flush; reused, so that a transaction allocates
 * nothing. Whoever draws has checked that it is open. The cache's numbers change only when the
 * transaction is published, so there is nothing to undo.
 *
 * <p>Kind, cells and numbers are those of the last transaction while none is open: storing a
 * reference costs a barrier, and the next transaction mostly has the same.
 */
final class OpenTransaction extends CallerGuard {
  private static final long[] NO_VALUES = {};
  private static final Cell[] NO_CELLS = {};

  private Kind kind = Kind.NONE;
  private long wsid;
  private long[] values = NO_VALUES;
  private int base;
  private boolean publishKind;

  private final Places places;
  private final Cell[] @Nullable [] cellsByKind;
  private Cell[] cells = NO_CELLS;
  private int[] touched = {};
  private int touchedCount;

  OpenTransaction(Kinds kinds) {
    places = kinds.places();
    cellsByKind = new Cell[kinds.count()][];
  }

  void begin(Kind ofKind, long ofWsid, long[] numbers, int at, boolean kindKnown) {
    if (kind != ofKind) {
      become(ofKind);
    }
    if (values != numbers) {
      values = numbers;
    }
    wsid = ofWsid;
    base = at;
    publishKind = !kindKnown;
    setOpen(true);
  }

  private void become(Kind ofKind) {
    Cell[] own = cellsByKind[ofKind.ordinal];
    if (own == null) {
      own = ofKind.newCells(places);
      cellsByKind[ofKind.ordinal] = own;
    }
    if (touched.length < ofKind.size) {
      touched = new int[ofKind.size];
    }
    cells = own;
    kind = ofKind;
  }

  /** The next number of a sequence. */
  long draw(int seqId) {
    Cell cell = cells[kind.indexOf(seqId)];
    long drawn = cell.count;
    long number = cell.after(drawn == 0 ? values[base + cell.index] : cell.last);
    if (drawn == 0) {
      touch(cell);
    }
    cell.last = number;
    cell.count = drawn + 1;
    return number;
  }

  /** The first of {@code many} numbers of a sequence that follow each other. */
  long draw(int seqId, int many) {
    Cell cell = cells[kind.indexOf(seqId)];
    long before = stand(cell);
    long last = cell.after(before, many);
    if (cell.count == 0) {
      touch(cell);
    }
    cell.last = last;
    cell.count += many;
    return cell.after(before);
  }

  private long stand(Cell cell) {
    return cell.count == 0 ? values[base + cell.index] : cell.last;
  }

  private void touch(Cell cell) {
    touched[touchedCount++] = cell.index;
  }

  void observe(int seqId, long number) {
    Cell cell = cells[kind.indexOf(seqId)];
    cell.requireInRange(number);
    if (number > stand(cell)) {
      if (cell.count == 0) {
        touch(cell);
      }
      cell.last = number;
      cell.count |= Cell.OBSERVED;
    }
  }

  void visit(DrawVisitor visitor) {
    for (int i = 0; i < touchedCount; i++) {
      Cell cell = cells[touched[i]];
      visitor.visit(
          cell.seqId, cell.count & ~Cell.OBSERVED, cell.last, (cell.count & Cell.OBSERVED) != 0);
    }
  }

  Kind kind() {
    return kind;
  }

  long wsid() {
    return wsid;
  }

  /** Whether publishing tells the workspace's kind for the first time. */
  boolean publishesKind() {
    return publishKind;
  }

  /** Where in these numbers its own begin, or -1 if they are not here. */
  int baseIn(long[] numbers) {
    return isOpen() && values == numbers ? base : -1;
  }

  /** Hands its numbers to the cache and the queue, and ends it. */
  void publish(FlushQueue queue) {
    queue.reserve(touchedCount + 1); // from here on nothing can fail
    int block = -1;
    int row = 0;
    for (int i = 0; i < touchedCount; i++) {
      Cell cell = cells[touched[i]];
      if (cell.block != block) {
        block = cell.block;
        row = queue.row(wsid, block);
      }
      queue.merge(row + cell.inRow, cell.last);
      values[base + cell.index] = cell.last;
      cell.count = 0;
    }
    if (publishKind) {
      queue.merge(wsid, SystemSequences.WORKSPACE_KIND, kind.wsKind);
    }
    touchedCount = 0;
    setOpen(false);
  }

  /** Ends it; its numbers were never drawn. */
  void end() {
    while (touchedCount > 0) {
      cells[touched[--touchedCount]].count = 0;
    }
    setOpen(false);
  }

  /** Ends it, and lets go of numbers that the cache has forgotten. */
  void abandon() {
    end();
    values = NO_VALUES;
  }
}
