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

/**
 * The transaction of {@link TransactionBenchmark} and its baseline in one JVM, in slices that
 * alternate: an iteration is a round, and a round has both sides.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 0)
@Measurement(iterations = 10)
public class TransactionRounds {
  /** How long a slice lasts, in milliseconds. */
  @Param("100")
  public int slice;

  private Runnable baseline;
  private Runnable transaction;
  private long transactions;

  /** For JMH. */
  public TransactionRounds() {}

  /** What a round found. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Round {
    /** Nanoseconds of the baseline: (a) for one workspace, (c) for many. */
    public double baseline;

    /** Nanoseconds of a transaction. */
    public double nanos;

    /** Bytes the thread that draws allocated per transaction. */
    public double bytes;

    /** Bytes all threads allocated per transaction, the background's among them. */
    public double allBytes;

    /** For JMH. */
    public Round() {}
  }

  /** Runs rounds until the JVM has compiled them. */
  @Setup
  public void warmUp(
      TransactionBenchmark.Baselines baselines,
      TransactionBenchmark.Workload workload,
      Blackhole results) {
    baseline =
        workload.workspaces == 1
            ? () -> look(baselines, results)
            : () -> lookAmongMany(baselines, results);
    transaction = () -> transaction(workload, results);
    WarmUp.until(Duration.ofMillis(30L * slice), () -> measure(new Round()));
  }

  /** One round. */
  @Benchmark
  public void round(Round round) {
    measure(round);
  }

  private void measure(Round round) {
    round.baseline = Slice.nanos(slice, baseline);
    transactions = 0;
    long all = Allocation.ofAllThreads();
    long own = Allocation.ofThisThread();
    round.nanos = Slice.nanos(slice, transaction);
    own = Allocation.ofThisThread() - own;
    all = Allocation.ofAllThreads() - all;
    round.bytes = (double) own / transactions;
    round.allBytes = (double) all / transactions;
  }

  private static void look(TransactionBenchmark.Baselines baselines, Blackhole results) {
    for (int i = 0; i < Slice.CHUNK; i++) {
      results.consume(baselines.look());
    }
  }

  private static void lookAmongMany(TransactionBenchmark.Baselines baselines, Blackhole results) {
    for (int i = 0; i < Slice.CHUNK; i++) {
      results.consume(baselines.lookAmongMany());
    }
  }

  private void transaction(TransactionBenchmark.Workload workload, Blackhole results) {
    for (int i = 0; i < Slice.CHUNK; i++) {
      results.consume(workload.transaction());
    }
    transactions += Slice.CHUNK;
  }
}
