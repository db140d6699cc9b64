package io.tidemark.core;

import java.time.Duration;

/** How long to wait before a failed piece of work is tried again: doubling, capped, jittered. */
final class Backoff {
  private static final long FIRST_NANOS = 10_000_000;
  private static final int MOST_DOUBLINGS = 20;

  private final Environment environment;
  private final long cap;

  Backoff(Environment environment, Duration cap) {
    this.environment = environment;
    this.cap = Nanos.of(cap);
  }

  Duration pause(int attempt) {
    long full = Math.min(cap, FIRST_NANOS << Math.min(attempt, MOST_DOUBLINGS));
    return Duration.ofNanos((long) (full * (0.5 + environment.random() / 2)));
  }
}
