package io.tidemark.bench;

import io.tidemark.bench.Plot.Axis;
import io.tidemark.bench.Plot.Curve;
import io.tidemark.bench.Plot.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Transactions and replay on the cheapest storage there can be, beside look-ups. */
final class EngineRuns {
  private static final int[] DRAWS = {1, 3, 10};
  private static final int[] WORKSPACES = {1, 100_000, 1_000_000};

  /** Twice a second the drawing thread arms a timer; that is not a transaction's doing. */
  private static final double NO_BYTES = 0.01;

  private final boolean quick;
  private final Findings findings;

  EngineRuns(boolean quick, Findings findings) {
    this.quick = quick;
    this.findings = findings;
  }

  void transactions() {
    List<Curve> curves = new ArrayList<>();
    for (int draws : DRAWS) {
      Curve curve = new Curve("k=" + draws);
      for (int workspaces : WORKSPACES) {
        if (draws == 3 || workspaces < 1_000_000 || !quick) { // filling a million takes seconds
          curve.add(workspaces, transaction(draws, workspaces));
        }
      }
      curves.add(curve);
    }
    findings.add(
        new Plot(
            "Cost of a transaction against the number of workspaces",
            new Axis("workspaces", Scale.LOG),
            new Axis("ns a transaction", Scale.LINEAR),
            curves.stream().map(Curve::series).toList()));
  }

  private Samples transaction(int draws, int workspaces) {
    String what =
        String.format(
            Locale.ROOT,
            "transaction k=%d, %s",
            draws,
            switch (workspaces) {
              case 1 -> "hot";
              case 1_000_000 -> "1,000,000 workspaces (misses)";
              default -> String.format(Locale.ROOT, "%,d workspaces", workspaces);
            });
    findings.begin(what);
    JmhRounds rounds =
        JmhRounds.run(
            TransactionRounds.class,
            quick ? 1 : 3,
            quick ? 7 : 10,
            Map.of("slice", quick ? 40 : 200, "draws", draws, "workspaces", workspaces));
    boolean hot = workspaces == 1;
    Samples ratios = Samples.ratios(rounds.of("nanos"), rounds.of("baseline"));
    Samples bytes = new Samples(rounds.of("bytes"));
    Line time;
    Line allocation;
    String unit = hot ? "x (a)" : "x (c)";
    String its = what + ": allocation";
    if (draws == 3) { // the only one with targets
      time = Line.atMost(what, ratios, unit, hot ? 10 : workspaces == 100_000 ? 1.2 : 2);
      allocation = Line.atMost(its, bytes, "bytes", workspaces == 1_000_000 ? 100 : NO_BYTES);
    } else {
      time = Line.measured(what, ratios, unit);
      allocation = Line.measured(its, bytes, "bytes");
    }
    Samples nanos = new Samples(rounds.of("nanos"));
    findings.add(time.noting(Line.format(nanos.median()) + " ns"));
    findings.add(
        allocation.noting(
            "counted on the thread that draws; all threads with the background's: "
                + Line.format(new Samples(rounds.of("allBytes")).median())));
    return nanos;
  }

  void replay() {
    replay(100, 12);
    replay(100_000, 40);
  }

  private void replay(int workspaces, double target) {
    String of = String.format(Locale.ROOT, "%,d workspaces", workspaces);
    findings.begin("replay of 1,000,000 events, " + of);
    JmhRounds rounds =
        JmhRounds.run(
            ReplayRounds.class,
            quick ? 1 : 2,
            quick ? 4 : 8,
            Map.of("slice", quick ? 40 : 200, "workspaces", workspaces));
    findings.add(
        Line.atMost(
                "replay per event, " + of,
                Samples.ratios(rounds.of("free"), rounds.of("a")),
                "x (a)",
                target)
            .noting(Line.format(new Samples(rounds.of("free")).median()) + " ns"));
    findings.add(
        Line.atMost(
            "replay held back at 500, " + of,
            Samples.ratios(rounds.of("heldBack"), rounds.of("free")),
            "x without limit",
            1.5));
  }
}
