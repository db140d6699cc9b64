package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.Simulation.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The real engine under random seeds, and every known bug put back. */
final class SimulationTest {
  private static final long SEEDS = Long.getLong("tidemark.simulation.seeds", 2000);
  private static final long BUG_SEEDS = 2000;

  @Test
  void engine_underRandomSeeds_breaksNoInvariant() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Optional<Failure> failure = Simulation.run(seed);
      assertThat(failure).as("seed %d of %d", seed, SEEDS).isEmpty();
    }
    System.out.println("simulation: " + SEEDS + " seeds, no invariant broken");
  }

  @Test
  void seed_runTwice_givesTheSameHistory() {
    SeededBug bug = SeededBugs.named("no-epoch");
    LongFunction<Optional<Failure>> one = Simulation.with(bug);
    LongFunction<Optional<Failure>> other = Simulation.with(bug);
    for (long seed = 0; seed < 20; seed++) {
      assertThat(one.apply(seed)).isEqualTo(other.apply(seed));
    }
  }

  @ParameterizedTest
  @MethodSource("io.tidemark.simulation.SeededBugs#all")
  void seededBug_isFoundWithinBoundedSeeds(SeededBug bug) {
    LongFunction<Optional<Failure>> mutant = Simulation.with(bug);
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
    String page = Files.readString(Path.of("../docs/simulation.md"));
    assertThat(SeededBugs.all()).allSatisfy(bug -> assertThat(page).contains("`" + bug.name()));
  }
}
