package io.tidemark.bench;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.Environment;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
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
 * What a transaction costs: start, three draws, flush. The baseline beside it is a look-up of one
 * of 64 hot entries in a {@link HashMap} and an array increment.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TransactionBenchmark {
  private static final int KIND = 1;
  private static final int FIRST = 256;
  private static final int HOT = 64;

  private final Map<Long, long[]> baseline = new HashMap<>();
  private ISequencer sequencer;
  private long random = 88172645463325252L;

  /** How many workspaces are drawn from; the cache holds 400,000 numbers, three a workspace. */
  @Param({"1", "100000", "1000000"})
  public int workspaces;

  /** For JMH. */
  public TransactionBenchmark() {}

  /** Fills the baseline and opens a sequencer over a storage that does nothing. */
  @Setup
  public void open() {
    for (long i = 0; i < HOT; i++) {
      baseline.put(i, new long[3]);
    }
    SequenceTypes types =
        SequenceTypes.builder()
            .sequence(KIND, FIRST, SequenceDefinition.named("a").build())
            .sequence(KIND, FIRST + 1, SequenceDefinition.named("b").build())
            .sequence(KIND, FIRST + 2, SequenceDefinition.named("c").build())
            .build();
    sequencer =
        Sequencers.over(
            new FlatSeqStorage(1_000_000),
            SequencerConfig.of(types),
            CacheBudget.of(400_000),
            Environment.system());
    if (!sequencer.awaitReady(Duration.ofSeconds(10))) {
      throw new IllegalStateException("the sequencer did not get ready");
    }
  }

  /** Closes the sequencer. */
  @TearDown
  public void close() {
    sequencer.close();
  }

  private long random() {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    return random;
  }

  /** The baseline (a). */
  @Benchmark
  public long lookUpAndIncrement() {
    return ++requireNonNull(baseline.get(random() & (HOT - 1)))[1];
  }

  /** A transaction with three draws. */
  @Benchmark
  public long transactionOfThree() {
    long wsid = Long.remainderUnsigned(random(), workspaces);
    while (sequencer.start(KIND, wsid) == 0) {
      Thread.onSpinWait();
    }
    long sum = sequencer.next(FIRST) + sequencer.next(FIRST + 1) + sequencer.next(FIRST + 2);
    sequencer.flush();
    return sum;
  }
}
