package io.tidemark.bench;

import io.tidemark.api.ISequence;
import io.tidemark.api.ISequences;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.core.Sequences;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a draw from an SQL-like sequence costs beside {@link AtomicLong#incrementAndGet}: at most
 * three times as much on one thread, and no byte. Run with {@code -prof gc}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SequenceDrawBenchmark {
  private final AtomicLong baseline = new AtomicLong();
  private ISequences<?> sequences;
  private ISequence<?> straight;
  private ISequence<?> cycling;

  /** For JMH. */
  public SequenceDrawBenchmark() {}

  /** Opens two sequences in memory, one of which wraps all the time. */
  @Setup
  public void open() {
    sequences = Sequences.open(new MemoryStore().open("bench", Layout.of(1)), "bench");
    sequences.create(SequenceDefinition.named("straight").build());
    sequences.create(SequenceDefinition.named("cycling").max(1000L).cycle(true).build());
    straight = sequences.open("straight");
    cycling = sequences.open("cycling");
  }

  /** Closes them. */
  @TearDown
  public void close() {
    sequences.close();
  }

  /** The baseline. */
  @Benchmark
  public long increment() {
    return baseline.incrementAndGet();
  }

  /** A draw. */
  @Benchmark
  public long draw() {
    return straight.next();
  }

  /** A draw from a short range that cycles. */
  @Benchmark
  public long drawCycling() {
    return cycling.next();
  }

  /** The baseline under contention. */
  @Benchmark
  @Threads(2)
  public long incrementByTwo() {
    return baseline.incrementAndGet();
  }

  /** A draw under contention. */
  @Benchmark
  @Threads(2)
  public long drawByTwo() {
    return straight.next();
  }
}
