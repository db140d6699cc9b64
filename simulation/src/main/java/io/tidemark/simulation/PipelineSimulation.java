package io.tidemark.simulation;

import io.tidemark.simulation.Simulation.Failure;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Runs the real pipeline in a deterministic world: processes with clients, faults at every storage
 * call, crashes between any two stages, all decided by a seed.
 */
public final class PipelineSimulation {

  private PipelineSimulation() {}

  /** Runs one seed; empty when nothing broke. */
  public static Optional<Failure> run(long seed) {
    return failure(seed, new PipelineSearch().apply(seed));
  }

  /** The same with a bug put back; compiled once, so run many seeds with it. */
  public static LongFunction<Optional<Failure>> with(SeededBug bug) {
    try {
      @SuppressWarnings("unchecked") // PipelineSearch is one, also when loaded anew
      LongFunction<String[]> mutant =
          (LongFunction<String[]>)
              new MutantLoader(bug.mutations())
                  .loadClass(PipelineSearch.class.getName())
                  .getConstructor()
                  .newInstance();
      return seed -> failure(seed, mutant.apply(seed));
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
