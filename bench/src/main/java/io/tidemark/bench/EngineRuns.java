package io.tidemark.bench;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The JMH benchmarks of the engine, each as a ratio to a baseline of the same run. */
final class EngineRuns {
  private static final String BYTES = "gc.alloc.rate.norm";

  private final boolean quick;
  private final Consumer<String> progress;
  private Collection<RunResult> results = List.of();

  EngineRuns(boolean quick, Consumer<String> progress) {
    this.quick = quick;
    this.progress = progress;
  }

  List<Line> run() {
    progress.accept("transactions beside look-ups");
    results = run(TransactionBenchmark.class, quick ? 5 : 10, quick ? 300 : 1000);
    Samples a = samples("baselineA", "");
    Samples c = samples("baselineC", "");
    List<Line> lines = new ArrayList<>();
    lines.add(Line.atMost("transaction k=3, hot", samples("transaction", "1"), a, "x (a)", 10));
    lines.add(Line.count("its allocation", bytes("1"), "bytes", 0.5));
    lines.add(
        Line.atMost(
            "transaction k=3, 100,000 workspaces",
            samples("transaction", "100000"),
            c,
            "x (c)",
            1.2));
    lines.add(Line.count("its allocation", bytes("100000"), "bytes", 0.5));
    lines.add(
        Line.atMost(
            "transaction k=3, 1,000,000 workspaces (misses)",
            samples("transaction", "1000000"),
            c,
            "x (c)",
            2));
    lines.add(Line.count("its allocation", bytes("1000000"), "bytes", 100));
    progress.accept("replay of 1,000,000 events");
    results = run(ReplayBenchmark.class, quick ? 3 : 5, 0);
    Samples few = samples("replay", "100", "10000000");
    Samples many = samples("replay", "100000", "10000000");
    lines.add(Line.atMost("replay per event, 100 workspaces", few, a, "x (a)", 12));
    lines.add(Line.atMost("replay per event, 100,000 workspaces", many, a, "x (a)", 40));
    lines.add(
        Line.atMost(
            "replay held back at 500, 100,000 workspaces",
            samples("replay", "100000", "500"),
            many,
            "x without limit",
            1.5));
    return lines;
  }

  private Collection<RunResult> run(Class<?> benchmark, int iterations, int millis) {
    try {
      Path log = Files.createTempFile("tidemark-bench", ".log");
      ChainedOptionsBuilder options =
          new OptionsBuilder()
              .include(benchmark.getName() + "\\..*")
              .forks(1)
              .measurementIterations(iterations)
              .verbosity(VerboseMode.SILENT)
              .output(log.toString())
              .addProfiler(GCProfiler.class)
              .shouldFailOnError(true)
              .warmupIterations(quick ? 2 : 3);
      if (millis > 0) {
        options.measurementTime(TimeValue.milliseconds(millis));
        options.warmupTime(TimeValue.milliseconds(millis));
      }
      Collection<RunResult> found = new Runner(options.build()).run();
      Files.delete(log);
      return found;
    } catch (RunnerException e) {
      throw new IllegalStateException("the benchmark " + benchmark.getSimpleName() + " failed", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RunResult result(String method, String... parameters) {
    for (RunResult result : results) {
      boolean named = result.getParams().getBenchmark().endsWith("." + method);
      boolean same =
          parameters.length == 0
              || parameters[0].isEmpty()
              || (parameters[0].equals(result.getParams().getParam("workspaces"))
                  && (parameters.length == 1
                      || parameters[1].equals(result.getParams().getParam("maxUnflushedValues"))));
      if (named && same) {
        return result;
      }
    }
    throw new IllegalStateException("no benchmark " + method + " " + List.of(parameters));
  }

  private Samples samples(String method, String... parameters) {
    List<Double> values = new ArrayList<>();
    for (BenchmarkResult fork : result(method, parameters).getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        values.add(iteration.getPrimaryResult().getScore());
      }
    }
    return new Samples(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private double bytes(String workspaces) {
    return requireNonNull(result("transaction", workspaces).getSecondaryResults().get(BYTES), BYTES)
        .getScore();
  }
}
