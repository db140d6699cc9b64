package io.tidemark.bench;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** The replay of {@link ReplayBenchmark} and its baseline in one JVM, taking turns. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 0)
@Measurement(iterations = 5)
public class ReplayRounds {
  private static final int LIMIT = 500;
  private static final int NO_LIMIT = 10_000_000;

  /** How many workspaces the events belong to. */
  @Param({"100", "100000"})
  public int workspaces;

  /** How long a slice of the baseline lasts, in milliseconds. */
  @Param("100")
  public int slice;

  private Runnable look;

  /** For JMH. */
  public ReplayRounds() {}

  /** What a round found. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Round {
    /** Nanoseconds of the baseline (a). */
    public double a;

    /** Nanoseconds per event, with a limit that never holds replay back. */
    public double free;

    /** Nanoseconds per event, with the default limit of waiting numbers. */
    public double heldBack;

    /** For JMH. */
    public Round() {}
  }

  /** Runs rounds until the JVM has compiled them. */
  @Setup
  public void warmUp(TransactionBenchmark.Baselines baselines, Blackhole results) {
    look = () -> look(baselines, results);
    WarmUp.until(Duration.ofMillis(30L * slice), () -> measure(new Round()));
  }

  /** One round. */
  @Benchmark
  public void round(Round round) {
    measure(round);
  }

  private void measure(Round round) {
    round.free = replay(NO_LIMIT);
    round.a = Slice.nanos(slice, look);
    round.heldBack = replay(LIMIT);
  }

  private double replay(int limit) {
    FlatSeqStorage storage =
        new FlatSeqStorage(workspaces, ReplayBenchmark.SEQUENCES, ReplayBenchmark.EVENTS);
    long began = System.nanoTime();
    long next = ReplayBenchmark.replay(storage, limit);
    long took = System.nanoTime() - began;
    if (next != ReplayBenchmark.EVENTS + 1) {
      throw new IllegalStateException("the replay ended before offset " + next);
    }
    return (double) took / ReplayBenchmark.EVENTS;
  }

  private static void look(TransactionBenchmark.Baselines baselines, Blackhole results) {
    for (int i = 0; i < Slice.CHUNK; i++) {
      results.consume(baselines.look());
    }
  }
}
