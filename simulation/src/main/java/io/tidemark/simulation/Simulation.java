package io.tidemark.simulation;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Runs the real engine in a deterministic world: several owners, faults and a nemesis, all decided
 * by a seed. One seed is one history, on any machine.
 */
public final class Simulation {

  private Simulation() {}

  /**
   * A run that broke an invariant.
   *
   * @param seed its seed
   * @param problem the invariant and what was found
   * @param steps what happened, step by step, in the shortest run found
   */
  public record Failure(long seed, String problem, List<String> steps) {
    /** Copies. */
    public Failure {
      steps = List.copyOf(steps);
    }
  }

  /** Runs one seed of the real engine; empty when nothing broke. */
  public static Optional<Failure> run(long seed) {
    return failure(seed, new Search().apply(seed));
  }

  /**
   * Runs one seed of a user's own handler on two nodes, with faults. A handler is made anew for
   * every run, because a failing one is run again to find fewer steps.
   */
  public static Optional<Failure> run(long seed, Supplier<? extends Handler> handlers) {
    Search.Stories stories =
        (scope, choices) -> {
          HandledCluster cluster = new HandledCluster(handlers.get(), scope, choices);
          return new Search.Story(cluster.world(), cluster::run);
        };
    return failure(seed, Search.search(seed, Scope.handled(seed), stories));
  }

  /** The same with a bug put back; the engine is compiled once, so run many seeds with it. */
  public static LongFunction<Optional<Failure>> with(SeededBug bug) {
    try {
      @SuppressWarnings("unchecked") // Search is one, also when loaded anew
      LongFunction<String[]> mutant =
          (LongFunction<String[]>)
              new MutantLoader(bug.mutations())
                  .loadClass(Search.class.getName())
                  .getConstructor()
                  .newInstance();
      return seed -> failure(seed, mutant.apply(seed));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the seeded bug " + bug.name() + " cannot be loaded", e);
    }
  }

  /**
   * Walks every interleaving of a scope, {@code owners,commands,changes,unknownOutcomes,
   * mostHistories}; a change is a crash or an owner that takes the partition back. Answers a line
   * with the numbers of states and histories; when one breaks an invariant, the problem and its
   * steps follow.
   */
  public static List<String> walk(String scope) {
    return List.of(new Exhaustive().apply(scope));
  }

  /** The same with a bug put back. */
  public static List<String> walk(String scope, SeededBug bug) {
    try {
      @SuppressWarnings("unchecked") // Exhaustive is one, also when loaded anew
      Function<String, String[]> mutant =
          (Function<String, String[]>)
              new MutantLoader(bug.mutations())
                  .loadClass(Exhaustive.class.getName())
                  .getConstructor()
                  .newInstance();
      return List.of(mutant.apply(scope));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the seeded bug " + bug.name() + " cannot be loaded", e);
    }
  }

  private static Optional<Failure> failure(long seed, String[] found) {
    return found.length == 0
        ? Optional.empty()
        : Optional.of(new Failure(seed, found[0], List.of(found).subList(1, found.length)));
  }
}
