package io.tidemark.core;

import io.tidemark.spi.SeqValues;

/**
 * Issued numbers on their way to storage, and the log offsets they cover. Guarded by the
 * sequencer's lock.
 *
 * <p>Staged numbers belong to events not yet known to be in the log. Waiting ones are committed.
 * Those in flight are being written, one write at a time, and stay here until it is acknowledged:
 * storage together with flight and waiting covers the log before {@link #waitingOffset}.
 */
final class Backlog {
  final FlushQueue staged;
  int stagedEvents;

  private FlushQueue waiting;
  private long waitingOffset;
  private FlushQueue inFlight;
  private long inFlightOffset;
  private long storedOffset;
  private boolean writing;

  /** What {@link #fillBatch} reads: the flusher's from the moment it is taken. */
  private FlushQueue taken;

  private final SeqValues batch = new SeqValues(0);

  Backlog(Places places) {
    staged = new FlushQueue(places);
    waiting = staged.another();
    inFlight = staged.another();
    taken = inFlight;
  }

  FlushQueue waiting() {
    return waiting;
  }

  int inFlightSize() {
    return inFlight.size();
  }

  long storedOffset() {
    return storedOffset;
  }

  /**
   * Lays the numbers of a workspace that a read is not certain to see over {@code numbers}, one per
   * id; the larger one stays.
   */
  void overlay(long wsid, int[] seqIds, long[] numbers) {
    staged.overlay(wsid, seqIds, numbers);
    waiting.overlay(wsid, seqIds, numbers);
    inFlight.overlay(wsid, seqIds, numbers);
  }

  /** Every event before {@code offset} is covered by storage and this backlog. */
  void cover(long offset) {
    waitingOffset = Math.max(waitingOffset, offset);
  }

  /** The offset before which every event is known to be committed. */
  long coveredOffset() {
    return waitingOffset;
  }

  /** Storage was seen to cover everything before {@code offset}. */
  void seenStored(long offset) {
    storedOffset = Math.max(storedOffset, offset);
    cover(offset);
  }

  /** Whether something waits for a write that has not been taken yet. */
  boolean isWaiting() {
    return !waiting.isEmpty() || waitingOffset > Math.max(inFlightOffset, storedOffset);
  }

  boolean isPending() {
    return writing || isWaiting();
  }

  /** Moves what waits into flight; false if nothing waits or a write is under way. */
  boolean take() {
    if (writing || !isWaiting()) {
      return false;
    }
    FlushQueue empty = inFlight;
    inFlight = waiting;
    taken = waiting;
    waiting = empty;
    inFlightOffset = waitingOffset;
    writing = true;
    return true;
  }

  /** Copies what was taken, without the lock: the caller goes on meanwhile. */
  SeqValues fillBatch() {
    taken.copyTo(batch);
    return batch;
  }

  SeqValues batch() {
    return batch;
  }

  long batchOffset() {
    return inFlightOffset;
  }

  void written() {
    storedOffset = Math.max(storedOffset, inFlightOffset);
    inFlight.clear();
    writing = false;
  }

  void dropStaged() {
    staged.clear();
    stagedEvents = 0;
  }

  /** Forgets everything, for an owner that must not write again; answers whether anything was. */
  boolean drop() {
    boolean lost = isPending();
    dropStaged();
    waiting.clear();
    waitingOffset = 0;
    writing = false;
    inFlight = staged.another(); // the flusher may be copying the old one
    return lost;
  }
}
