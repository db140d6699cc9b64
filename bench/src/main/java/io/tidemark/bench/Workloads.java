package io.tidemark.bench;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SequencerStatus;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.Environment;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Sequencers as the benchmarks of the engine use them. */
final class Workloads {
  static final Duration PATIENCE = Duration.ofMinutes(1);

  private Workloads() {}

  static ISequencer sequencer(FlatSeqStorage storage, int sequences, long cachedNumbers) {
    return sequencer(storage, SequencerConfig.of(types(sequences)), cachedNumbers);
  }

  static ISequencer sequencer(FlatSeqStorage storage, SequencerConfig config, long cachedNumbers) {
    return Sequencers.over(storage, config, CacheBudget.of(cachedNumbers), Environment.system());
  }

  static SequenceTypes types(int sequences) {
    SequenceTypes.Builder types = SequenceTypes.builder();
    for (int i = 0; i < sequences; i++) {
      types.sequence(
          FlatSeqStorage.KIND,
          FlatSeqStorage.FIRST + i,
          SequenceDefinition.named("sequence" + i).build());
    }
    return types.build();
  }

  static void ready(ISequencer sequencer) {
    if (!sequencer.awaitReady(PATIENCE)) {
      throw new IllegalStateException("the sequencer did not get ready: " + sequencer.status());
    }
  }

  /** One transaction of so many draws, waiting where it must. */
  static void draw(ISequencer sequencer, long wsid, int draws) {
    if (sequencer.start(FlatSeqStorage.KIND, wsid, PATIENCE) == 0) {
      throw new IllegalStateException("refused: " + sequencer.refusal());
    }
    for (int i = 0; i < draws; i++) {
      sequencer.next(FlatSeqStorage.FIRST + i);
    }
    sequencer.flush();
  }

  /** Waits until all that was drawn is stored. */
  static void stored(ISequencer sequencer) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    SequencerStatus status = sequencer.status();
    while (status.waitingValues() + status.inFlightValues() > 0) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("numbers were not stored: " + status);
      }
      LockSupport.parkNanos(1_000_000);
      status = sequencer.status();
    }
  }

  /** The heap in use after a collection: the least of a few looks. */
  static long heap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  /** The engine's threads, those that earlier runs have started among them. */
  static Samples threads() {
    return new Samples(
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("tidemark-"))
            .count());
  }
}
