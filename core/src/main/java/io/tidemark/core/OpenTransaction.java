package io.tidemark.core;

import io.tidemark.api.DrawVisitor;
import io.tidemark.api.SystemSequences;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that draws now: where its workspace's numbers are, and what to undo.
 *
 * <p>Belongs to the caller between start and flush; reused, so that a transaction allocates
 * nothing.
 */
final class OpenTransaction {
  private static final long[] NO_VALUES = {};

  private final int widest;
  private @Nullable Kind kind;
  private long wsid;
  private long[] values = NO_VALUES;
  private int base;
  private boolean publishKind;

  private int[] touched = {};
  private long[] undo = {};
  private long[] counts = {};
  private boolean[] observed = {};
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
    return kind != null;
  }

  void begin(Kind ofKind, long ofWsid, long[] numbers, int at, boolean kindKnown) {
    if (touched.length == 0) {
      touched = new int[widest];
      undo = new long[widest];
      counts = new long[widest];
      observed = new boolean[widest];
    }
    kind = ofKind;
    wsid = ofWsid;
    values = numbers;
    base = at;
    publishKind = !kindKnown;
  }

  long draw(int seqId, int count) {
    Kind open = opened();
    int index = open.indexOf(seqId);
    long first = open.first(index, values[base + index], count);
    touch(index);
    counts[index] += count;
    values[base + index] = open.last(index, first, count);
    return first;
  }

  void observe(int seqId, long number) {
    Kind open = opened();
    int index = open.indexOf(seqId);
    open.requireInRange(index, number);
    if (number > values[base + index]) {
      touch(index);
      observed[index] = true;
      values[base + index] = number;
    }
  }

  void visit(DrawVisitor visitor) {
    Kind open = opened();
    for (int i = 0; i < touchedCount; i++) {
      int index = touched[i];
      visitor.visit(open.storedIds[index], counts[index], values[base + index], observed[index]);
    }
  }

  void publish(FlushQueue queue) {
    Kind open = opened();
    for (int i = 0; i < touchedCount; i++) {
      queue.merge(wsid, open.storedIds[touched[i]], values[base + touched[i]]);
    }
    if (publishKind) {
      queue.merge(wsid, SystemSequences.WORKSPACE_KIND, open.wsKind);
    }
  }

  void undo() {
    for (int i = 0; i < touchedCount; i++) {
      values[base + touched[i]] = undo[touched[i]];
    }
  }

  void end() {
    for (int i = 0; i < touchedCount; i++) {
      counts[touched[i]] = 0;
      observed[touched[i]] = false;
    }
    touchedCount = 0;
    kind = null;
    values = NO_VALUES;
  }

  private void touch(int index) {
    if (counts[index] == 0 && !observed[index]) {
      touched[touchedCount++] = index;
      undo[index] = values[base + index];
    }
  }

  private Kind opened() {
    Kind open = kind;
    if (open == null) {
      throw new IllegalStateException("no transaction is open; call start() first");
    }
    return open;
  }
}
