package io.tidemark.cli;

import io.tidemark.bench.Bench;
import io.tidemark.bench.BenchConfig;
import io.tidemark.bench.BenchReport;
import io.tidemark.bench.Line;
import io.tidemark.bench.Part;
import io.tidemark.bench.Plot;
import io.tidemark.spi.StorageUri;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Measures, and holds the figures against their targets. */
@Command(
    name = "bench",
    description = {
      "Measures the engine, a start, and with --storage the whole pipeline, each beside a baseline "
          + "in the same run, and holds the figures against their targets.",
      "Baselines are look-ups in memory, a plain connection that reads as much, plain inserts into "
          + "the same database (sqlite:, postgres:, cassandra:).",
      "Each figure is a ratio or a count, with its spread and its target: pass, short, or unsure "
          + "when the spread is too wide to tell. Exit code 1: a target was missed.",
      "Without --only it runs transactions, replay, counts and start-up, or with --storage "
          + "start-up and storage. Without --storage, start-up and storage work on an SQLite file "
          + "that is deleted at the end. On a storage, applications named bench-… and tables named "
          + "tidemark_bench… are made and left: the next run need not write the long log again."
    },
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class BenchCommand implements Callable<Integer> {
  private static final Logger ENGINE = Logger.getLogger("io.tidemark");
  private static final long QUICK_EVENTS = 100_000;
  private static final long EVENTS = 10_000_000;
  private static final long CASSANDRA_EVENTS = 10_000; // a conditional write is slow

  @Mixin private Storages storages;
  @Mixin private Output output;

  @Option(
      names = "--quick",
      description =
          "Shorter measurements: under a minute without a server, wider spread; 1,000,000 "
              + "workspaces with 3 draws alone.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "PART",
      split = ",",
      converter = PartConverter.class,
      description =
          "Run these parts alone: transactions (1, 3, 10 draws; 1 to 1,000,000 workspaces), replay "
              + "(1,000,000 events), counts (storage writes, heap, threads; 10,000 partitions idle "
              + "and busy), start-up (on logs of several lengths), storage (the whole pipeline, "
              + "alone and in groups, at every trust level).")
  private @Nullable Set<Part> only;

  @Option(
      names = "--events",
      paramLabel = "N",
      description =
          "The longest log that start-up is measured on; 10,000 and 1,000,000 come before it "
              + "(default: 10000000; with --quick 100000; on Cassandra 10000).")
  private @Nullable Long events;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Write bench.html into this folder: the table and plots, in one file.")
  private @Nullable Path report;

  BenchCommand() {}

  /** Reads a part's name. */
  static final class PartConverter implements ITypeConverter<Part> {
    PartConverter() {}

    @Override
    public Part convert(String name) {
      return Stream.of(Part.values())
          .filter(part -> part.toString().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'" + name + "' is none of " + List.of(Part.values())));
    }
  }

  /** The run, as shown. */
  record Ran(Map<String, String> machine, List<Shown> figures, List<Plot> plots) {}

  /** A figure, as shown. */
  record Shown(
      String what,
      double value,
      double low,
      double high,
      String unit,
      @Nullable String target,
      String verdict,
      String note) {
    static Shown of(Line line) {
      return new Shown(
          line.what(),
          line.value(),
          line.low(),
          line.high(),
          line.unit(),
          line.hasTarget() ? line.shownTarget() : null,
          line.verdict().word(),
          line.note());
    }
  }

  @Override
  public Integer call() throws IOException {
    ENGINE.setLevel(Level.OFF);
    BenchReport found = run();
    if (report != null) {
      found.writeTo(report);
      output.err().println("wrote " + report.resolve("bench.html"));
    }
    output.document(
        new Ran(found.machine(), found.lines().stream().map(Shown::of).toList(), found.plots()));
    show(found);
    return found.lines().stream().anyMatch(line -> line.verdict() == Line.Verdict.SHORT)
        ? Failures.PROBLEM
        : 0;
  }

  private void show(BenchReport found) {
    Table table = new Table("what", "measured", "spread", "target", "");
    for (Line line : found.lines()) {
      table.row(
          line.what(), line.shown(), line.spread(), line.shownTarget(), line.verdict().word());
    }
    output.say("%s", table);
    found.lines().stream()
        .filter(line -> !line.note().isEmpty())
        .forEach(line -> output.say("%s: %s", line.what(), line.note()));
    output.say("");
    found.machine().forEach((name, value) -> output.say("%s: %s", name, value));
    output.say("%s", BenchReport.BASELINES);
  }

  private BenchReport run() throws IOException {
    if (storages.isGiven()) {
      return run(storages.uri(), EnumSet.of(Part.START_UP, Part.STORAGE));
    }
    Path folder = Files.createTempDirectory("tidemark-bench");
    try {
      StorageUri file = new StorageUri("sqlite", folder.resolve("bench.db").toString(), Map.of());
      return run(file, EnumSet.complementOf(EnumSet.of(Part.STORAGE)));
    } finally {
      delete(folder);
    }
  }

  private BenchReport run(StorageUri uri, Set<Part> parts) {
    long most = uri.scheme().equals("cassandra") ? CASSANDRA_EVENTS : quick ? QUICK_EVENTS : EVENTS;
    Consumer<String> progress = what -> output.err().println(what + " …");
    return Bench.run(
        new BenchConfig(
            only == null ? parts : only,
            quick,
            Storages.driver(uri),
            uri,
            events == null ? most : events,
            progress));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
