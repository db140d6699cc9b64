package io.tidemark.bench;

import io.tidemark.api.ISequencer;
import io.tidemark.core.SequencerConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What recovery costs per event: a log of 1,000,000 events with three numbers each. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
public class ReplayBenchmark {
  static final int EVENTS = 1_000_000;
  static final int SEQUENCES = 3;

  private FlatSeqStorage storage;

  /** How many workspaces the events belong to. */
  @Param({"100", "100000"})
  public int workspaces;

  /** The limit of waiting numbers; the large one never holds replay back. */
  @Param({"500", "10000000"})
  public int maxUnflushedValues;

  /** For JMH. */
  public ReplayBenchmark() {}

  /** A log nobody has read. */
  @Setup(Level.Invocation)
  public void write() {
    storage = new FlatSeqStorage(workspaces, SEQUENCES, EVENTS);
  }

  /** One event. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public long replay() {
    return replay(storage, maxUnflushedValues);
  }

  static long replay(FlatSeqStorage storage, int maxUnflushedValues) {
    SequencerConfig config =
        SequencerConfig.builder(Workloads.types(SEQUENCES))
            .maxUnflushedValues(maxUnflushedValues)
            .build();
    try (ISequencer sequencer = Workloads.sequencer(storage, config, 1000)) {
      if (!sequencer.awaitReady(Duration.ofMinutes(1))) {
        throw new IllegalStateException("the log was not replayed: " + sequencer.status());
      }
      return sequencer.status().nextOffset();
    }
  }
}
