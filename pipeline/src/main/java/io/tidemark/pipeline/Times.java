package io.tidemark.pipeline;

import java.time.Duration;

/** Durations as nanoseconds; one too long to count is as good as for ever. */
final class Times {
  private static final long FOREVER = Long.MAX_VALUE / 4;

  private Times() {}

  static long nanos(Duration duration) {
    boolean countable = duration.compareTo(Duration.ofNanos(FOREVER)) < 0;
    return countable ? Math.max(0, duration.toNanos()) : FOREVER;
  }
}
