package io.tidemark.bench;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.api.ISequencer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a transaction costs: start, draws, flush; beside it, in the same run, the baselines (a), a
 * look-up of one of 64 hot entries in a {@link HashMap} and an array increment, and (c), a look-up
 * of one of 100,000 keys in Caffeine.
 *
 * <p>With one or 100,000 workspaces all numbers fit the cache; with 1,000,000 it holds 100,000
 * numbers, and nearly every transaction loads its workspace.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TransactionBenchmark {
  private static final int HOT = 64;
  private static final int KEYS = 100_000;
  private static final int FITS = 100_000;

  /** For JMH. */
  public TransactionBenchmark() {}

  /** What the baselines look up. */
  @State(Scope.Thread)
  public static class Baselines {
    private final Xorshift random = new Xorshift();
    private final Map<Long, long[]> map = new HashMap<>();
    private final Cache<Long, long[]> caffeine = Caffeine.newBuilder().maximumSize(KEYS).build();

    /** For JMH. */
    public Baselines() {}

    /** Fills both. */
    @Setup
    public void fill() {
      for (long i = 0; i < HOT; i++) {
        map.put(i, new long[3]);
      }
      for (long i = 0; i < KEYS; i++) {
        caffeine.put(i, new long[3]);
      }
    }

    long look() {
      return ++requireNonNull(map.get(random.next() & (HOT - 1)))[1];
    }

    long lookAmongMany() {
      return requireNonNull(caffeine.getIfPresent(random.below(KEYS)))[1];
    }
  }

  /** A sequencer and the workspaces it serves. */
  @State(Scope.Thread)
  public static class Workload {
    private final Xorshift random = new Xorshift();
    private ISequencer sequencer;

    /** How many workspaces are drawn from. */
    @Param({"1", "100000", "1000000"})
    public int workspaces;

    /** How many numbers a transaction draws, each from a sequence of its own. */
    @Param({"1", "3", "10"})
    public int draws;

    /** For JMH. */
    public Workload() {}

    /** Opens a sequencer over a storage that does next to nothing, and fills its cache. */
    @Setup
    public void open() {
      long numbers = (long) draws * FITS;
      sequencer =
          Workloads.sequencer(
              new FlatSeqStorage(workspaces, draws, 0), draws, workspaces <= FITS ? numbers : FITS);
      if (!sequencer.awaitReady(Duration.ofSeconds(10))) {
        throw new IllegalStateException("the sequencer did not get ready");
      }
      for (long wsid = 0; wsid < Math.min(workspaces, FITS); wsid++) {
        transaction(wsid);
      }
    }

    /** Closes the sequencer. */
    @TearDown
    public void close() {
      sequencer.close();
    }

    long transaction() {
      return transaction(random.below(workspaces));
    }

    private long transaction(long wsid) {
      while (sequencer.start(FlatSeqStorage.KIND, wsid) == 0) {
        Thread.onSpinWait();
      }
      long sum = 0;
      for (int i = 0; i < draws; i++) {
        sum += sequencer.next(FlatSeqStorage.FIRST + i);
      }
      sequencer.flush();
      return sum;
    }
  }

  /** The baseline (a). */
  @Benchmark
  public long baselineA(Baselines baselines) {
    return baselines.look();
  }

  /** The baseline (c). */
  @Benchmark
  public long baselineC(Baselines baselines) {
    return baselines.lookAmongMany();
  }

  /** A transaction. */
  @Benchmark
  public long transaction(Workload workload) {
    return workload.transaction();
  }
}
