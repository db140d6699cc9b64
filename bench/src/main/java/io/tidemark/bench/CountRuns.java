package io.tidemark.bench;

import io.tidemark.api.ISequencer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/** What is counted, not timed, on one sequencer: storage writes and heap. */
final class CountRuns {
  private static final int TRANSACTIONS = 100_000;
  private static final int SEQUENCES = 3;

  private final Findings findings;
  private final int repeats;

  CountRuns(boolean quick, Findings findings) {
    this.findings = findings;
    this.repeats = quick ? 1 : 3;
  }

  void run() {
    findings.begin("storage writes per 1,000 transactions");
    findings.add(
        Line.atMost(
                "storage writes per 1,000 transactions, k=3, distinct workspaces",
                repeated(() -> writes(true)),
                "writes",
                12.1)
            .noting("drawn as fast as it goes; three values each"));
    findings.add(
        Line.measured(
                "storage writes per 1,000 transactions, k=3, new workspaces",
                repeated(() -> writes(false)),
                "writes")
            .noting("four values each: a new workspace's kind is stored too"));
    for (int numbers : new int[] {100_000, 1_000_000}) {
      String what = String.format(Locale.ROOT, "heap per cached number, %,d of them", numbers);
      findings.begin(what);
      findings.add(
          Line.atMost(what, repeated(() -> heapPerNumber(numbers)), "bytes", 40)
              .noting("heap with a full cache less heap with one workspace in it, same settings"));
    }
  }

  private Samples repeated(DoubleSupplier count) {
    List<Double> counts = new ArrayList<>();
    for (int i = 0; i < repeats; i++) {
      counts.add(count.getAsDouble());
    }
    return Samples.of(counts);
  }

  /** Each transaction in a workspace of its own, so that nothing merges. */
  private static double writes(boolean known) {
    FlatSeqStorage storage = new FlatSeqStorage(TRANSACTIONS, SEQUENCES, 0);
    if (known) {
      drawFromEach(storage);
    }
    long before = storage.writes();
    drawFromEach(storage);
    return (storage.writes() - before) * 1000.0 / TRANSACTIONS;
  }

  private static void drawFromEach(FlatSeqStorage storage) {
    try (ISequencer sequencer = Workloads.sequencer(storage, SEQUENCES, 1000)) {
      Workloads.ready(sequencer);
      for (long wsid = 0; wsid < TRANSACTIONS; wsid++) {
        Workloads.draw(sequencer, wsid, SEQUENCES);
      }
    }
  }

  private static double heapPerNumber(int numbers) {
    int workspaces = numbers / SEQUENCES;
    FlatSeqStorage storage = new FlatSeqStorage(workspaces, SEQUENCES, 0);
    try (ISequencer sequencer = Workloads.sequencer(storage, SEQUENCES, numbers)) {
      Workloads.ready(sequencer);
      Workloads.draw(sequencer, 0, SEQUENCES);
      Workloads.stored(sequencer);
      long almostEmpty = Workloads.heap();
      for (long wsid = 1; wsid < workspaces; wsid++) {
        Workloads.draw(sequencer, wsid, SEQUENCES);
      }
      Workloads.stored(sequencer);
      return (double) (Workloads.heap() - almostEmpty) / ((workspaces - 1) * (long) SEQUENCES);
    }
  }
}
