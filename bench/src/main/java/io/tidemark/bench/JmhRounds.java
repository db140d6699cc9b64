package io.tidemark.bench;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The rounds of one JMH benchmark, in JVMs of their own. */
final class JmhRounds {
  private final List<IterationResult> rounds = new ArrayList<>();

  private JmhRounds(RunResult result) {
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      rounds.addAll(fork.getIterationResults());
    }
  }

  static JmhRounds run(Class<?> benchmark, int forks, int rounds, Map<String, Integer> parameters) {
    try {
      Path log = Files.createTempFile("tidemark-bench", ".log");
      ChainedOptionsBuilder options =
          new OptionsBuilder()
              .include(benchmark.getName() + "\\..*")
              .forks(forks)
              .measurementIterations(rounds)
              .verbosity(VerboseMode.SILENT)
              .output(log.toString())
              .shouldFailOnError(true);
      parameters.forEach((name, value) -> options.param(name, value.toString()));
      JmhRounds found = new JmhRounds(new Runner(options.build()).runSingle());
      Files.delete(log);
      return found;
    } catch (RunnerException e) {
      throw new IllegalStateException("the benchmark " + benchmark.getSimpleName() + " failed", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the rounds found of one thing, in their order. */
  double[] of(String name) {
    return rounds.stream()
        .mapToDouble(
            round -> requireNonNull(round.getSecondaryResults().get(name), name).getScore())
        .toArray();
  }
}
