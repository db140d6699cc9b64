package io.tidemark.spi;

import java.util.concurrent.CancellationException;

/** Tells long work to stop. */
@FunctionalInterface
public interface Cancellation {
  /** Never cancelled. */
  Cancellation NEVER = () -> false;

  /** Whether the work must stop. */
  boolean isCancelled();

  /** Ends the caller's work if it was cancelled: a cut scan must never look complete. */
  default void check() {
    if (isCancelled()) {
      throw new CancellationException("the scan was cancelled");
    }
  }
}
