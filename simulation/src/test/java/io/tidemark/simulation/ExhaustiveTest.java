package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every interleaving of small scopes: owners, commands, crashes, unknown outcomes. */
final class ExhaustiveTest {
  private static final String SCOPE =
      System.getProperty("tidemark.simulation.walk", "1,2,0,1,100000");

  @Test
  void engine_inEveryInterleavingOfTheScope_breaksNoInvariant() {
    List<String> walked = Simulation.walk(SCOPE);
    assertThat(walked).as("the scope %s", SCOPE).hasSize(1);
    assertThat(walked.get(0)).endsWith("all walked");
    System.out.println("exhaustive " + SCOPE + ": " + walked.get(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"offset-ahead", "load-over-queue", "actualize-keeps-cache"})
  void seededBug_isMetInAWholeWalk(String bug) {
    List<String> walked = Simulation.walk("1,2,0,1,100000", SeededBugs.named(bug));
    assertThat(walked).as(bug).hasSizeGreaterThan(2);
    System.out.println("exhaustive " + bug + ": " + walked.get(0) + ", " + walked.get(1));
  }

  @Test
  void twoOwners_withoutEpochs_areCaught() {
    List<String> walked = Simulation.walk("2,2,0,0,20000", SeededBugs.named("no-epoch"));
    assertThat(walked.get(1)).startsWith("I11");
    System.out.println("exhaustive no-epoch: " + walked.get(0) + ", " + walked.get(1));
  }

  @Test
  void scope_walkedTwice_hasTheSameStates() {
    assertThat(Simulation.walk("1,1,0,1,1000")).isEqualTo(Simulation.walk("1,1,0,1,1000"));
  }
}
