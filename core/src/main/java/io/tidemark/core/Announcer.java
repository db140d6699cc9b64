package io.tidemark.core;

import io.tidemark.api.SequencerListener;
import io.tidemark.api.SequencerState;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Tells the listener and the log; what a listener throws changes nothing. */
final class Announcer {
  private static final Logger LOG = System.getLogger("io.tidemark.core");

  private final int partition;
  private final SequencerListener listener;

  Announcer(int partition, SequencerListener listener) {
    this.partition = partition;
    this.listener = listener;
  }

  /** Whether there is anybody to tell. */
  boolean isHeard() {
    return listener != SequencerListener.NONE;
  }

  void flushed(int values, long nextOffset) {
    tell(() -> listener.flushed(partition, values, nextOffset));
  }

  void retrying(String work, Duration pause, Throwable cause) {
    LOG.log(
        Level.WARNING,
        () -> "partition " + partition + ": " + work + " failed, trying again: " + cause);
    tell(() -> listener.retrying(partition, work, pause, cause));
  }

  void actualizing(long offset, long eventsRead) {
    tell(() -> listener.actualizing(partition, offset, eventsRead));
  }

  void ready(long nextOffset, long eventsRead) {
    LOG.log(
        Level.DEBUG,
        () ->
            "partition " + partition + ": ready at offset " + nextOffset + ", read " + eventsRead);
    tell(() -> listener.ready(partition, nextOffset, eventsRead));
  }

  void stopped(SequencerState last, Throwable cause) {
    boolean fenced = last == SequencerState.FENCED;
    LOG.log(
        fenced ? Level.INFO : Level.ERROR,
        () -> "partition " + partition + ": " + last + ", " + cause);
    tell(
        () -> {
          if (fenced) {
            listener.fenced(partition, cause);
          } else {
            listener.failed(partition, cause);
          }
        });
  }

  private void tell(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) { // a listener's failure is its own
      LOG.log(Level.WARNING, "a sequencer listener failed", e);
    }
  }
}
