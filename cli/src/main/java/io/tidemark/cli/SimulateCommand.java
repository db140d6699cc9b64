package io.tidemark.cli;

import io.tidemark.simulation.PipelineBugs;
import io.tidemark.simulation.PipelineSimulation;
import io.tidemark.simulation.SeededBug;
import io.tidemark.simulation.SeededBugs;
import io.tidemark.simulation.Simulation;
import io.tidemark.simulation.Simulation.Failure;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the engine in the deterministic simulation. */
@Command(
    name = "simulate",
    description = {
      "Runs the real engine, or with --pipeline the whole pipeline, under seeded faults, crashes and "
          + "takeovers, and checks the invariants.",
      "Exit code 0: nothing broke. 1: an invariant broke, its shortest history is printed."
    },
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class SimulateCommand implements Callable<Integer> {
  /** Held here, because a logger nobody holds forgets its level. */
  private static final Logger ENGINE = Logger.getLogger("io.tidemark.core");

  @Spec private CommandSpec spec;

  @ArgGroup private @Nullable Seeds seeds;

  @Option(
      names = "--bug",
      paramLabel = "NAME",
      description = "Put this known bug back and show the history that breaks.")
  private @Nullable String bug;

  @Option(
      names = "--pipeline",
      description = "Simulate the whole pipeline instead of the engine alone.")
  private boolean pipeline;

  @Option(names = "--list-bugs", description = "List the known bugs and end.")
  private boolean listBugs;

  @Mixin private Output output;

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
    if (listBugs) {
      List<Known> known =
          Stream.concat(SeededBugs.all().stream(), PipelineBugs.all().stream())
              .map(each -> new Known(each.name(), each.hazard()))
              .toList();
      output.document(known);
      known.forEach(each -> output.say("%-28s %s", each.name, each.hazard));
      return 0;
    }
    ENGINE.setLevel(Level.OFF); // its complaints about injected faults would drown the answer
    long first = seeds != null && seeds.one != null ? seeds.one : 0;
    long count =
        seeds == null ? 1000 : seeds.one != null ? 1 : seeds.count == null ? 1000 : seeds.count;
    if (count < 1) {
      throw new ParameterException(spec.commandLine(), "--seeds must be >= 1, was " + count);
    }
    Optional<Failure> found = search(simulation(), first, count);
    output.document(new Ran(first, count, bug, found.orElse(null)));
    report(count, found);
    return found.isPresent() ? Failures.PROBLEM : 0;
  }

  private LongFunction<Optional<Failure>> simulation() {
    if (bug == null) {
      return pipeline ? PipelineSimulation::run : Simulation::run;
    }
    for (SeededBug known : PipelineBugs.all()) {
      if (known.name().equals(bug)) {
        pipeline = true;
        return PipelineSimulation.with(known);
      }
    }
    return Simulation.with(named(bug));
  }

  private SeededBug named(String name) {
    try {
      return SeededBugs.named(name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private Optional<Failure> search(LongFunction<Optional<Failure>> run, long first, long count) {
    Optional<Failure> found = Optional.empty();
    try (Progress progress = output.progress("seeds", count)) {
      for (long i = 0; i < count && found.isEmpty(); i++) {
        found = run.apply(first + i);
        progress.step();
      }
    }
    return found;
  }

  private void report(long count, Optional<Failure> found) {
    String part = pipeline ? "the pipeline" : "the engine";
    String what = bug == null ? part : part + " with the bug '" + bug + "'";
    if (found.isEmpty()) {
      output.say("%d seeds, %s broke no invariant", count, what);
      return;
    }
    Failure failure = found.get();
    output.say("seed %d: %s broke %s%n", failure.seed(), what, failure.problem());
    output.say("The shortest history found (step, process/thread: what happened):");
    failure.steps().forEach(step -> output.say("  %s", step));
    output.say(
        "%nAgain: tidemark simulate --seed %d%s",
        failure.seed(), bug != null ? " --bug " + bug : pipeline ? " --pipeline" : "");
  }

  /** What was run and found, as shown. */
  record Ran(long firstSeed, long seeds, @Nullable String bug, @Nullable Failure violation) {}

  /** A known bug, as shown. */
  record Known(String name, String hazard) {}
}
