package io.tidemark.core;

import java.time.Duration;

/** Durations as nanoseconds; one too long to count is as good as for ever. */
final class Nanos {
  private static final long FOREVER = Long.MAX_VALUE / 2;

  private Nanos() {}

  static long of(Duration duration) {
    boolean countable = duration.compareTo(Duration.ofNanos(FOREVER)) < 0;
    return countable ? Math.max(0, duration.toNanos()) : FOREVER;
  }
}
