package io.tidemark.core;

import io.tidemark.spi.SeqValues;

/**
 * The numbers of a few replayed events that follow each other. They go to the backlog together:
 * while the lock is held once for all of them, a processor looks up one event's workspace without
 * waiting for that of the one before.
 */
final class ReplayBuffer {
  private static final int MOST_EVENTS = 32;

  private final Kinds kinds;
  private final int mostValues;
  private final SeqValues values = new SeqValues();
  private int events;
  private int sizeWithoutLast;
  private long end;

  /** Full with so many values, but never too small for one event. */
  ReplayBuffer(Kinds kinds, int mostValues) {
    this.kinds = kinds;
    this.mostValues = mostValues;
  }

  void add(SeqValues event, long offset) {
    sizeWithoutLast = values.size();
    kinds.addReplayed(event, values);
    events++;
    end = offset + 1;
  }

  boolean isFull() {
    return events == MOST_EVENTS || values.size() >= mostValues;
  }

  boolean isEmpty() {
    return events == 0;
  }

  SeqValues values() {
    return values;
  }

  /** How many values there were before the last event. */
  int sizeWithoutLast() {
    return sizeWithoutLast;
  }

  /** The offset after the last event. */
  long end() {
    return end;
  }

  void clear() {
    values.clear();
    events = 0;
    sizeWithoutLast = 0;
  }
}
