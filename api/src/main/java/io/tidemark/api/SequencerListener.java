package io.tidemark.api;

import java.time.Duration;

/**
 * Hears what a sequencer does in the background.
 *
 * <p><b>Threads.</b> Called on background threads, and on the caller's while it loads a workspace;
 * never under a lock of the engine. [E-18]<br>
 * <b>Failure.</b> What a listener throws is logged and changes nothing.
 */
public interface SequencerListener {
  /** Hears nothing. */
  SequencerListener NONE = new SequencerListener() {};

  /** A batch and its offset are stored. */
  default void flushed(int partition, int values, long nextOffset) {}

  /** Background work failed and is tried again after {@code delay}. */
  default void retrying(int partition, String work, Duration delay, Throwable cause) {}

  /** The log has been read up to {@code offset}. Called now and then, and at the end. */
  default void actualizing(int partition, long offset, long eventsRead) {}

  /** The partition takes transactions again. */
  default void ready(int partition, long nextOffset, long eventsRead) {}

  /** Another owner has the partition. */
  default void fenced(int partition, Throwable cause) {}

  /** The partition failed for good. */
  default void failed(int partition, Throwable cause) {}
}
