package io.tidemark.core;

import java.time.Duration;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Everything the engine takes from the outside world apart from storage: time, background threads,
 * waiting and randomness. A simulation supplies its own and owns every interleaving.
 */
public interface Environment {

  /** Real time and daemon threads, shared by the whole process. */
  static Environment system() {
    return SystemEnvironment.SHARED;
  }

  /** Nanoseconds since some fixed moment; never goes back. */
  long nanoTime();

  /** Runs {@code task} soon, on a background thread. */
  void execute(Lane lane, Runnable task);

  /** Runs {@code task} after {@code delay}, on a background thread of {@code lane}. */
  Timer schedule(Duration delay, Lane lane, Runnable task);

  /**
   * Looks for a moment whether {@code condition} comes true, and answers whether it did. For a
   * background thread of {@code lane} that expects more work: sleeping and being woken takes longer
   * than the work itself. Ends early when another task waits for the lane's threads. The default
   * does not look.
   */
  default boolean linger(Lane lane, BooleanSupplier condition) {
    return false;
  }

  /** Something threads can wait for. */
  Signal newSignal();

  /** A random id. */
  UUID randomId();

  /** A random number in [0, 1), to spread retries. */
  double random();

  /** What a background task does; none waits for another's threads. */
  enum Lane {
    /** Writes numbers; short, or bounded by the storage's timeout. */
    FLUSH,
    /** Writes the numbers of a partition whose last write failed; may hang as that one did. */
    RETRY,
    /** Reads the log; may be held back until numbers are written. */
    REPLAY,
    /** Runs commands of the pipeline. */
    COMMAND,
    /** Calls subscribers, which may wait for commands. */
    SUBSCRIBER
  }

  /** A task that has not run yet. */
  @FunctionalInterface
  interface Timer {
    /** Makes sure it does not start, if it has not already. */
    void cancel();
  }

  /** Wakes waiting threads. A ticket taken before looking makes sure that no wake-up is missed. */
  interface Signal {
    /** Taken before looking at what is waited for. */
    long ticket();

    /** Wakes everybody who waits with an older ticket. */
    void raise();

    /** Waits until a raise after {@code ticket}, at most {@code nanos}, or until interrupted. */
    void await(long ticket, long nanos);
  }
}
