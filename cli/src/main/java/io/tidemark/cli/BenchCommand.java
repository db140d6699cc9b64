package io.tidemark.cli;

import io.tidemark.bench.Bench;
import io.tidemark.bench.BenchReport;
import io.tidemark.bench.Line;
import io.tidemark.spi.StorageUri;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures, and holds the figures against their targets. */
@Command(
    name = "bench",
    description = {
      "Measures the engine beside look-ups in the same run, or with --storage the whole pipeline "
          + "beside plain inserts into the same database (sqlite: and postgres:).",
      "Each figure is a ratio or a count, with its spread and its target: pass, short, or unsure "
          + "when the spread is too wide to tell. Exit code 1: a target was missed."
    },
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class BenchCommand implements Callable<Integer> {
  private static final Logger ENGINE = Logger.getLogger("io.tidemark");

  @Mixin private Storages storages;
  @Mixin private Output output;

  @Option(names = "--quick", description = "Shorter measurements: under a minute, wider spread.")
  private boolean quick;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Write bench.html into this folder.")
  private @Nullable Path report;

  BenchCommand() {}

  /** A figure, as shown. */
  record Shown(
      String what,
      double value,
      double low,
      double high,
      String unit,
      String target,
      String verdict) {}

  @Override
  public Integer call() throws IOException {
    ENGINE.setLevel(Level.OFF);
    Consumer<String> progress = what -> output.err().println("measuring " + what + " …");
    BenchReport found;
    if (storages.isGiven()) {
      StorageUri uri = storages.uri();
      found = Bench.storage(Storages.driver(uri), uri, quick, progress);
    } else {
      found = Bench.engine(quick, progress);
    }
    if (report != null) {
      found.writeTo(report);
    }
    Table table = new Table("what", "measured", "spread", "target", "");
    List<Shown> shown = new ArrayList<>();
    for (Line line : found.lines()) {
      String verdict = line.verdict().name().toLowerCase(Locale.ROOT);
      table.row(line.what(), line.shown(), line.spread(), line.shownTarget(), verdict);
      shown.add(
          new Shown(
              line.what(),
              line.value(),
              line.low(),
              line.high(),
              line.unit(),
              line.shownTarget(),
              verdict));
    }
    output.document(shown);
    output.say("%s", table);
    found.machine().forEach((name, value) -> output.say("%s: %s", name, value));
    output.say(
        "(a) HashMap look-up and increment, (c) Caffeine look-up, (e1) one-row INSERT per commit, "
            + "(e100) 100 rows per commit, all in the same run");
    return found.lines().stream().anyMatch(line -> line.verdict() == Line.Verdict.SHORT)
        ? Failures.PROBLEM
        : 0;
  }
}
