package io.tidemark.api;

import org.jspecify.annotations.Nullable;

/**
 * A consistent look at a sequencer.
 *
 * @param state what it is doing
 * @param nextOffset the log offset the next transaction gets; 0 until the first actualization ends
 * @param storedOffset the next offset last known to be stored with all its numbers; 0 if unknown
 * @param waitingValues numbers that wait to be flushed
 * @param inFlightValues numbers being written now
 * @param lastError the last background failure, kept until the work it stopped has succeeded; in
 *     FENCED and FAILED the cause
 */
public record SequencerStatus(
    SequencerState state,
    long nextOffset,
    long storedOffset,
    int waitingValues,
    int inFlightValues,
    @Nullable Throwable lastError) {

  /** How many logged events a restart would have to read again. */
  public long lag() {
    return Math.max(0, nextOffset - storedOffset);
  }
}
