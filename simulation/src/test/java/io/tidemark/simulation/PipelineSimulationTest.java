package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.Simulation.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The real pipeline under random seeds, and every known bug of it put back. */
@Tag("I21")
final class PipelineSimulationTest {
  private static final long SEEDS = Long.getLong("tidemark.simulation.seeds", 300);
  private static final long BUG_SEEDS = 2_000;

  /** Held here, because a logger nobody holds forgets its level. */
  private static final Logger ENGINE = Logger.getLogger("io.tidemark.core");

  static {
    ENGINE.setLevel(Level.OFF); // thousands of faults on purpose
  }

  @Test
  void pipeline_underRandomSeeds_breaksNoInvariant() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Optional<Failure> failure = PipelineSimulation.run(seed);
      assertThat(failure).as("seed %d of %d", seed, SEEDS).isEmpty();
    }
    System.out.println("simulation of the pipeline: " + SEEDS + " seeds, no invariant broken");
  }

  @ParameterizedTest
  @MethodSource("io.tidemark.simulation.PipelineBugs#all")
  void seededBug_isFoundWithinBoundedSeeds(SeededBug bug) {
    LongFunction<Optional<Failure>> mutant = PipelineSimulation.with(bug);
    Optional<Failure> found = Optional.empty();
    long seed = 0;
    while (found.isEmpty() && seed < BUG_SEEDS) {
      found = mutant.apply(seed++);
    }
    assertThat(found).as("%s within %d seeds", bug.name(), BUG_SEEDS).isPresent();
    System.out.printf(
        "seeded bug %-26s found after %4d seeds: %s%n",
        bug.name(), seed, found.orElseThrow().problem());
  }

  @Test
  void docs_listEverySeededBug() throws IOException {
    String page = Files.readString(Path.of("../docs/simulation-pipeline.md"));
    assertThat(PipelineBugs.all()).allSatisfy(bug -> assertThat(page).contains("`" + bug.name()));
  }
}
