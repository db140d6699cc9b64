package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every interleaving of small scopes: owners, commands, crashes or takeovers, unknown outcomes. */
final class ExhaustiveTest {
  private static final List<String> SCOPES =
      List.of(
          System.getProperty("tidemark.simulation.walk", "1,2,1,1 2,2,1,0 2,2,0,1 2,3,0,0")
              .split(" ", -1));
  private static final String MOST = ",100000000";

  @Test
  void engine_inEveryInterleavingOfTheScopes_breaksNoInvariant() {
    for (String scope : SCOPES) {
      List<String> walked = Simulation.walk(scope + MOST);
      assertThat(walked).as("the scope %s", scope).hasSize(1);
      assertThat(walked.get(0)).endsWith("all walked");
      System.out.println("exhaustive " + scope + ": " + walked.get(0));
    }
  }

  /** What one process did and saw, in order, is surely its state; but then two owners never end. */
  @ParameterizedTest
  @ValueSource(strings = {"1,1,1,1", "1,2,1,0", "1,2,0,1"})
  void reducedWalk_ofOneOwner_reachesWhatTheWholeOneReaches(String scope) {
    Exhaustive plain = walk(scope + MOST + ",plain");
    for (String mode : List.of(",careful", ",reduced")) {
      Exhaustive other = walk(scope + MOST + mode);
      assertThat(other.stores()).as(scope + mode).isEqualTo(plain.stores());
      assertThat(other.ends()).as(scope + mode).isEqualTo(plain.ends()).hasSizeGreaterThan(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2,2,1,0", "2,2,0,1"})
  void reducedWalk_ofTwoOwners_reachesWhatTheCarefulOneReaches(String scope) {
    Exhaustive careful = walk(scope + MOST + ",careful");
    Exhaustive reduced = walk(scope + MOST);
    assertThat(reduced.stores()).as(scope).isEqualTo(careful.stores());
    assertThat(reduced.ends()).as(scope).isEqualTo(careful.ends()).hasSizeGreaterThan(1);
  }

  private static Exhaustive walk(String scope) {
    Exhaustive walk = new Exhaustive();
    assertThat(walk.apply(scope)).singleElement().asString().endsWith("all walked");
    return walk;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"load-over-queue", "queue-without-flight", "replay-offset-first", "stale-read"})
  void seededBug_metInTheWholeWalk_isMetInTheReducedOne(String bug) {
    for (String mode : List.of(",plain", ",reduced")) {
      List<String> walked = Simulation.walk("1,1,1,1" + MOST + mode, SeededBugs.named(bug));
      assertThat(walked).as(bug + mode).hasSizeGreaterThan(2);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "next-instead-of-last, '2,2,0,1', I2",
    "load-over-queue, '2,2,1,0', I1",
    "queue-without-flight, '2,2,1,0', I1",
    "replay-offset-first, '2,2,1,0', I5",
    "queue-cleared-under-flush, '2,2,1,0', I5",
    "plain-put, '2,2,1,0', I5",
    "stale-read, '2,2,0,1', I1",
    "no-epoch, '2,2,0,0', I11",
    "epoch-is-a-number, '2,2,0,1', I11",
    "actualize-keeps-cache, '2,2,0,1', I1",
    "offset-ahead, '2,2,0,0', I7",
  })
  void seededBug_isMetInAWholeWalkOfTwoOwners(String bug, String scope, String invariant) {
    List<String> walked = Simulation.walk(scope + MOST, SeededBugs.named(bug));
    assertThat(walked).as("%s in %s", bug, scope).hasSizeGreaterThan(2);
    assertThat(walked.get(1)).startsWith(invariant);
    System.out.println("exhaustive " + bug + " " + scope + ": " + walked.get(0));
  }

  @Test
  void scope_walkedTwice_hasTheSameStates() {
    assertThat(Simulation.walk("2,2,0,0" + MOST)).isEqualTo(Simulation.walk("2,2,0,0" + MOST));
  }
}
