package io.tidemark.bench;

import io.tidemark.bench.Plot.Axis;
import io.tidemark.bench.Plot.Curve;
import io.tidemark.bench.Plot.Scale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Many partitions in one process: idle, lightly used, busy. */
final class PartitionRuns {
  private static final int MANY = 10_000;
  private static final int[] COUNTS = {1, 100, MANY};
  private static final double MIB = 1 << 20;

  private final boolean quick;
  private final Findings findings;

  PartitionRuns(boolean quick, Findings findings) {
    this.quick = quick;
    this.findings = findings;
  }

  void run() {
    idleAndLight();
    busy();
  }

  private void idleAndLight() {
    findings.begin("10,000 idle partitions");
    try (PartitionFleet fleet = new PartitionFleet(MANY)) {
      long heap = Workloads.heap();
      fleet.open();
      findings.add(
          Line.atMost(
              "10,000 idle partitions: the engine's threads", Workloads.threads(), "threads", 8));
      findings.add(Line.atMost("10,000 idle partitions: heap", heapSince(heap), "MiB", 16));
      findings.begin("10,000 partitions, a transaction a millisecond");
      WriteRate light =
          WriteRate.of(fleet, Duration.ofSeconds(quick ? 3 : 20), Duration.ofMillis(1));
      findings.add(
          Line.atMost(
                  "storage writes a second, 10,000 partitions, light load",
                  light.perSecond(),
                  "a second",
                  2.1)
              .noting(light.note()));
    }
  }

  private static Samples heapSince(long before) {
    return new Samples((Workloads.heap() - before) / MIB);
  }

  private void busy() {
    findings.begin("10,000 busy partitions");
    List<PartitionFleet> fleets = new ArrayList<>();
    try {
      long heap = 0;
      for (int partitions : COUNTS) { // the last one's heap is what counts
        PartitionFleet fleet = new PartitionFleet(partitions);
        fleets.add(fleet);
        heap = Workloads.heap();
        fleet.open().drawEverywhere();
      }
      PartitionFleet many = fleets.get(fleets.size() - 1);
      cost(fleets);
      WriteRate rate = WriteRate.of(many, Duration.ofSeconds(quick ? 3 : 10), Duration.ZERO);
      findings.add(
          Line.measured("10,000 busy partitions: storage writes", rate.perSecond(), "a second")
              .noting(rate.note()));
      findings.add(
          Line.atMost(
              "10,000 busy partitions: the engine's threads", Workloads.threads(), "threads", 8));
      findings.add(
          Line.measured("10,000 busy partitions: heap", heapSince(heap), "MiB")
              .noting("with 90,000 cached numbers, and what storage-memory keeps of them"));
    } finally {
      fleets.forEach(PartitionFleet::close);
    }
  }

  /** Every fleet has as many workspaces in all; their slices take turns. */
  private void cost(List<PartitionFleet> fleets) {
    int rounds = quick ? 5 : 15;
    int slice = quick ? 100 : 400;
    WarmUp.until(Duration.ofMillis(quick ? 1500 : 10_000), () -> round(fleets, slice));
    double[][] nanos = new double[fleets.size()][rounds];
    for (int i = 0; i < rounds; i++) {
      double[] found = round(fleets, slice);
      for (int j = 0; j < found.length; j++) {
        nanos[j][i] = found[j];
      }
    }
    Curve curve = new Curve("k=3");
    for (int i = 0; i < fleets.size(); i++) {
      curve.add(fleets.get(i).partitions(), new Samples(nanos[i]));
    }
    findings.add(
        new Plot(
            "Cost of a transaction against the number of partitions",
            new Axis("partitions, 30,000 workspaces in all", Scale.LOG),
            new Axis("ns a transaction", Scale.LINEAR),
            List.of(curve.series())));
    double[] many = nanos[nanos.length - 1];
    findings.add(
        Line.measured(
                "10,000 busy partitions: cost of a transaction",
                Samples.ratios(many, nanos[0]),
                "x one partition")
            .noting(
                Line.format(new Samples(many).median())
                    + " ns; one partition with as many workspaces: "
                    + Line.format(new Samples(nanos[0]).median())));
  }

  private static double[] round(List<PartitionFleet> fleets, int slice) {
    return fleets.stream().mapToDouble(fleet -> Slice.nanos(slice, () -> chunk(fleet))).toArray();
  }

  private static void chunk(PartitionFleet fleet) {
    for (int i = 0; i < Slice.CHUNK; i++) {
      fleet.draw();
    }
  }
}
