package io.tidemark.bench;

import io.tidemark.api.TrustLevel;
import io.tidemark.bench.Plot.Axis;
import io.tidemark.bench.Plot.Curve;
import io.tidemark.bench.Plot.Point;
import io.tidemark.bench.Plot.Scale;
import io.tidemark.bench.Plot.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The whole pipeline beside plain inserts, in slices that alternate, so that what disturbs the
 * machine disturbs both.
 */
final class StorageRuns {
  private static final double[] PERCENTILES = {
    1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 98, 99, 99.5, 99.8, 99.9, 99.95, 99.98, 99.99
  };

  private final BenchConfig config;
  private final Findings findings;
  private final BenchApps apps;
  private final String scheme;
  private final int rounds;
  private final int lone;
  private final int grouped;
  private final Duration firstWarmUp;
  private final Duration warmUp;

  /** Latencies of plain inserts, at all levels. */
  private final Histogram inserts = new Histogram(3);

  private final List<Series> latencies = new ArrayList<>();
  private final List<Series> rates = new ArrayList<>();

  StorageRuns(BenchConfig config, Findings findings) {
    this.config = config;
    this.findings = findings;
    this.apps = new BenchApps(config);
    this.scheme = config.uri().scheme();
    boolean slow = scheme.equals("cassandra");
    // A slice lasts long enough for several flushes, and for a p99 of its own.
    this.rounds = config.quick() ? 10 : 20;
    this.lone = slow ? (config.quick() ? 30 : 100) : 500;
    this.grouped = slow ? (config.quick() ? 100 : 200) : 4000;
    this.firstWarmUp = Duration.ofSeconds(config.quick() && !hasTargets() ? 2 : 15);
    this.warmUp = Duration.ofSeconds(config.quick() ? 2 : 10);
  }

  void run() {
    // The storage first: it makes the database what plain rows need, such as a keyspace.
    apps.create("bench-storage", TrustLevel.LEVEL_0).close();
    try (PlainStore plain = PlainStore.of(config.uri())) {
      warmUp(plain);
      for (int level = 0; level <= 2; level++) {
        Curve curve = new Curve("level " + level);
        Curve baseline = new Curve("plain rows");
        lone(level, plain, curve);
        baseline.add(1, new Samples(1));
        for (int group : scheme.equals("cassandra") ? new int[] {10} : new int[] {10, 100}) {
          grouped(level, group, plain, curve, baseline);
        }
        if (level == 0) {
          rates.add(baseline.series());
        }
        rates.add(curve.series());
      }
    }
    latencies.add(0, curve("plain insert (e1)", inserts));
    findings.add(
        new Plot(
            "Commands a second against the size of a group, " + scheme,
            new Axis("commands a commit", Scale.LOG),
            new Axis("x (e1)", Scale.LOG),
            rates));
    findings.add(
        new Plot(
            "Latency of a lone command, " + scheme,
            new Axis("percentile", Scale.NINES),
            new Axis("ms", Scale.LOG),
            latencies));
  }

  /**
   * What all levels share is compiled before the first of them is measured; the flusher's code
   * takes longest, because it runs seldom.
   */
  private void warmUp(PlainStore plain) {
    findings.begin(scheme + ", warming up");
    try (PipelineUnderTest alone = new PipelineUnderTest(apps, 0, 1);
        PipelineUnderTest together = new PipelineUnderTest(apps, 0, 10)) {
      Histogram unused = new Histogram(3);
      WarmUp.until(
          firstWarmUp,
          () -> {
            plain.single(lone, unused);
            alone.single(lone, unused);
            plain.grouped(grouped, 10);
            together.together(grouped);
          });
    }
  }

  private void lone(int level, PlainStore plain, Curve curve) {
    String of = scheme + ", one command per commit, trust level " + level;
    findings.begin(of);
    try (PipelineUnderTest pipeline = new PipelineUnderTest(apps, level, 1)) {
      Histogram unused = new Histogram(3);
      WarmUp.until(
          warmUp,
          () -> {
            plain.single(lone, unused);
            pipeline.single(lone, unused);
          });
      double[] e1 = new double[rounds];
      double[] rate = new double[rounds];
      Latencies found = new Latencies();
      for (int i = 0; i < rounds; i++) {
        e1[i] = lone * 1e9 / plain.single(lone, found.plain);
        rate[i] = lone * 1e9 / pipeline.single(lone, found.commands);
        found.endOfRound();
      }
      Samples ratios = Samples.ratios(rate, e1);
      curve.add(1, ratios);
      findings.add(atLeast(of, ratios, "x (e1)", 0.75).noting(rates(rate, e1)));
      inserts.add(found.allPlain);
      latencies.add(curve("level " + level, found.allCommands));
      if (!found.p99Ratios().isEmpty()) {
        p99("p99 of a lone command, " + scheme + ", trust level " + level, found);
      }
    }
  }

  private void p99(String name, Latencies found) {
    Samples tails = Samples.of(found.p99Ratios());
    Line line =
        hasTargets()
            ? Line.atMost(name, tails, "x p99 (e1)", 1.5)
            : Line.measured(name, tails, "x p99 (e1)");
    long commands = found.allCommands.getTotalCount();
    findings.add(
        line.noting(
            String.format(
                Locale.ROOT,
                "%.2f ms; plain: %.2f; a p99 for each %,d of %,d commands",
                found.allCommands.getValueAtPercentile(99) / 1e6,
                found.allPlain.getValueAtPercentile(99) / 1e6,
                commands / found.p99Ratios().size(),
                commands)));
  }

  private void grouped(int level, int group, PlainStore plain, Curve curve, Curve baseline) {
    String of = scheme + ", groups of " + group + ", trust level " + level;
    findings.begin(of);
    try (PipelineUnderTest pipeline = new PipelineUnderTest(apps, level, group)) {
      Histogram unused = new Histogram(3);
      WarmUp.until(
          warmUp,
          () -> {
            plain.grouped(grouped, group);
            pipeline.together(grouped);
          });
      double[] e1 = new double[rounds];
      double[] rows = new double[rounds];
      double[] rate = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        e1[i] = lone * 1e9 / plain.single(lone, unused);
        rows[i] = grouped * 1e9 / plain.grouped(grouped, group);
        rate[i] = grouped * 1e9 / pipeline.together(grouped);
      }
      String unit = "x (e" + group + ")";
      Samples ofRows = Samples.ratios(rate, rows);
      Samples ofSingles = Samples.ratios(rate, e1);
      if (group == 100) {
        findings.add(atLeast(of, ofRows, unit, 0.5).noting(rates(rate, rows)));
        findings.add(atLeast(of, ofSingles, "x (e1)", 12));
      } else {
        findings.add(Line.measured(of, ofRows, unit).noting(rates(rate, rows)));
        findings.add(Line.measured(of, ofSingles, "x (e1)"));
      }
      curve.add(group, ofSingles);
      baseline.add(group, Samples.ratios(rows, e1));
    }
  }

  /** The targets are PostgreSQL's; the others are measured beside it. */
  private boolean hasTargets() {
    return scheme.equals("postgres");
  }

  private Line atLeast(String what, Samples ratios, String unit, double target) {
    return hasTargets()
        ? Line.atLeast(what, ratios, unit, target)
        : Line.measured(what, ratios, unit);
  }

  private static String rates(double[] measured, double[] plain) {
    return Line.format(Math.rint(new Samples(measured).median()))
        + " a second; plain: "
        + Line.format(Math.rint(new Samples(plain).median()));
  }

  private static Series curve(String name, Histogram nanos) {
    List<Point> points = new ArrayList<>();
    for (double percentile : PERCENTILES) {
      if ((100 - percentile) / 100 * nanos.getTotalCount() >= 1) { // there are so many samples
        double millis = nanos.getValueAtPercentile(percentile) / 1e6;
        points.add(new Point(percentile, millis, millis, millis));
      }
    }
    return new Series(name, points);
  }
}
