package io.tidemark.cli;

import io.tidemark.simulation.SeededBug;
import io.tidemark.simulation.SeededBugs;
import io.tidemark.simulation.Simulation;
import io.tidemark.simulation.Simulation.Failure;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the engine in the deterministic simulation. */
@Command(
    name = "simulate",
    description = {
      "Runs the real engine under seeded faults, crashes and takeovers, and checks its invariants.",
      "Exit code 0: nothing broke. 1: an invariant broke, its shortest history is printed."
    },
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class SimulateCommand implements Callable<Integer> {
  /** Held here, because a logger nobody holds forgets its level. */
  private static final Logger ENGINE = Logger.getLogger("io.tidemark.core");

  private static final long PROGRESS_EVERY = 100;

  @Spec private CommandSpec spec;

  @ArgGroup private @Nullable Seeds seeds;

  @Option(
      names = "--bug",
      paramLabel = "NAME",
      description = "Put this known bug back and show the history that breaks.")
  private @Nullable String bug;

  @Option(names = "--list-bugs", description = "List the known bugs and end.")
  private boolean listBugs;

  @Option(names = "--json", description = "Write one JSON document to standard output.")
  private boolean json;

  SimulateCommand() {}

  /** Which seeds to run. */
  static final class Seeds {
    @Option(
        names = "--seeds",
        paramLabel = "N",
        description = "Run the seeds 0 to N - 1 (default: 1000).")
    private @Nullable Long count;

    @Option(names = "--seed", paramLabel = "S", description = "Run this seed alone.")
    private @Nullable Long one;

    Seeds() {}
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (listBugs) {
      SeededBugs.all().forEach(known -> out.printf("%-28s %s%n", known.name(), known.hazard()));
      return 0;
    }
    ENGINE.setLevel(Level.OFF); // its complaints about injected faults would drown the answer
    long first = seeds != null && seeds.one != null ? seeds.one : 0;
    long count =
        seeds == null ? 1000 : seeds.one != null ? 1 : seeds.count == null ? 1000 : seeds.count;
    if (count < 1) {
      throw new ParameterException(spec.commandLine(), "--seeds must be >= 1, was " + count);
    }
    LongFunction<Optional<Failure>> run =
        bug == null ? Simulation::run : Simulation.with(named(bug));
    Optional<Failure> found = search(run, first, count);
    if (json) {
      out.println(json(first, count, found));
    } else {
      report(out, count, found);
    }
    return found.isPresent() ? 1 : 0;
  }

  private SeededBug named(String name) {
    try {
      return SeededBugs.named(name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private Optional<Failure> search(LongFunction<Optional<Failure>> run, long first, long count) {
    boolean progress = Ansi.AUTO.enabled() && !json; // a terminal
    long started = System.nanoTime();
    Optional<Failure> found = Optional.empty();
    for (long i = 0; i < count && found.isEmpty(); i++) {
      found = run.apply(first + i);
      if (progress && (i + 1) % PROGRESS_EVERY == 0) {
        double seconds = (System.nanoTime() - started) / 1e9;
        double rate = (i + 1) / seconds;
        System.err.printf(
            "\r%d of %d seeds, %.0f a second, %.0f s left   ",
            i + 1, count, rate, (count - i - 1) / rate);
      }
    }
    if (progress && count >= PROGRESS_EVERY) {
      System.err.println();
    }
    return found;
  }

  private void report(PrintWriter out, long count, Optional<Failure> found) {
    String what = bug == null ? "the engine" : "the engine with the bug '" + bug + "'";
    if (found.isEmpty()) {
      out.printf("%d seeds, %s broke no invariant%n", count, what);
      return;
    }
    Failure failure = found.get();
    out.printf("seed %d: %s broke %s%n%n", failure.seed(), what, failure.problem());
    out.println("The shortest history found (step, process/thread: what happened):");
    failure.steps().forEach(step -> out.println("  " + step));
    out.printf(
        "%nAgain: tidemark simulate --seed %d%s%n",
        failure.seed(), bug == null ? "" : " --bug " + bug);
  }

  private String json(long first, long count, Optional<Failure> found) {
    StringBuilder text = new StringBuilder("{\"firstSeed\":").append(first);
    text.append(",\"seeds\":").append(count);
    text.append(",\"bug\":").append(bug == null ? "null" : quote(bug));
    text.append(",\"violation\":");
    if (found.isEmpty()) {
      return text.append("null}").toString();
    }
    Failure failure = found.get();
    List<String> steps = failure.steps().stream().map(SimulateCommand::quote).toList();
    return text.append("{\"seed\":")
        .append(failure.seed())
        .append(",\"problem\":")
        .append(quote(failure.problem()))
        .append(",\"steps\":[")
        .append(String.join(",", steps))
        .append("]}}")
        .toString();
  }

  private static String quote(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
