package io.tidemark.bench;

import io.tidemark.api.ISequencer;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.Environment;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What is counted, not timed: storage writes, heap, threads. */
final class CountRuns {
  private static final int TRANSACTIONS = 100_000;
  private static final int SEQUENCES = 3;
  private static final int IDLE_PARTITIONS = 10_000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Consumer<String> progress;

  CountRuns(Consumer<String> progress) {
    this.progress = progress;
  }

  List<Line> run() {
    List<Line> lines = new ArrayList<>();
    progress.accept("storage writes and heap of the cache");
    lines.add(writes());
    lines.add(heapPerNumber(100_000));
    lines.add(heapPerNumber(1_000_000));
    progress.accept("10,000 idle partitions");
    lines.addAll(idlePartitions());
    return lines;
  }

  private static void ready(ISequencer sequencer) {
    if (!sequencer.awaitReady(PATIENCE)) {
      throw new IllegalStateException("the sequencer did not get ready: " + sequencer.status());
    }
  }

  private static void draw(ISequencer sequencer, long wsid) {
    if (sequencer.start(FlatSeqStorage.KIND, wsid, PATIENCE) == 0) {
      throw new IllegalStateException("refused: " + sequencer.refusal());
    }
    for (int i = 0; i < SEQUENCES; i++) {
      sequencer.next(FlatSeqStorage.FIRST + i);
    }
    sequencer.flush();
  }

  /** Each transaction in a workspace of its own, so that nothing merges. */
  private static Line writes() {
    FlatSeqStorage storage = new FlatSeqStorage(TRANSACTIONS, SEQUENCES, 0);
    try (ISequencer sequencer = Workloads.sequencer(storage, SEQUENCES, 1000)) {
      ready(sequencer);
      for (long wsid = 0; wsid < TRANSACTIONS; wsid++) {
        draw(sequencer, wsid);
      }
    }
    return Line.count(
        "storage writes per 1,000 transactions, k=3, distinct workspaces",
        storage.writes() * 1000.0 / TRANSACTIONS,
        "writes",
        12.1);
  }

  private static Line heapPerNumber(int numbers) {
    int workspaces = numbers / SEQUENCES;
    FlatSeqStorage storage = new FlatSeqStorage(workspaces, SEQUENCES, 0);
    long before = heap();
    try (ISequencer sequencer = Workloads.sequencer(storage, SEQUENCES, numbers)) {
      ready(sequencer);
      for (long wsid = 0; wsid < workspaces; wsid++) {
        draw(sequencer, wsid);
      }
      double bytes = (double) (heap() - before) / (workspaces * (long) SEQUENCES);
      return Line.count(
          String.format("heap per cached number, %,d of them", numbers), bytes, "bytes", 40);
    }
  }

  private static List<Line> idlePartitions() {
    try (IAppStorage app = new MemoryStore().open("bench", Layout.of(IDLE_PARTITIONS))) {
      List<IPartitionStorage> handles = new ArrayList<>();
      for (int partition = 0; partition < IDLE_PARTITIONS; partition++) {
        handles.add(app.claim(partition, "bench"));
      }
      int threads = ManagementFactory.getThreadMXBean().getThreadCount();
      long before = heap();
      Sequencers sequencers =
          Sequencers.of(
              app,
              SequencerConfig.of(Workloads.types(SEQUENCES)),
              CacheBudget.of(CacheBudget.DEFAULT_NUMBERS),
              Environment.system());
      List<ISequencer> open = new ArrayList<>();
      handles.forEach(handle -> open.add(sequencers.open(handle)));
      open.forEach(CountRuns::ready);
      double bytes = heap() - before;
      int grown = ManagementFactory.getThreadMXBean().getThreadCount() - threads;
      open.forEach(sequencer -> sequencer.close(Duration.ZERO));
      return List.of(
          Line.count("10,000 idle partitions: more threads", Math.max(0, grown), "threads", 8),
          Line.count("10,000 idle partitions: heap", bytes / (1 << 20), "MiB", 16));
    }
  }

  private static long heap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
