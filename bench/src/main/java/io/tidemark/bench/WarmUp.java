package io.tidemark.bench;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** Runs what is to be measured until the JVM has stopped compiling it. */
final class WarmUp {
  /** Rounds in a row with next to no compilation before it counts as done. */
  private static final int CALM = 3;

  /** The part of a round's time that compiling may take in a calm round. */
  private static final double LITTLE = 0.02;

  private WarmUp() {}

  /** Runs {@code round} until compilation is done, and ends in any case after {@code longest}. */
  static void until(Duration longest, Runnable round) {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    long end = System.nanoTime() + longest.toNanos();
    int calm = 0;
    while (calm < CALM && System.nanoTime() < end) {
      long compiled = compiler.getTotalCompilationTime();
      long began = System.nanoTime();
      round.run();
      double millis = (System.nanoTime() - began) / 1e6;
      calm = compiler.getTotalCompilationTime() - compiled <= LITTLE * millis ? calm + 1 : 0;
    }
  }
}
