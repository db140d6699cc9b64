package io.tidemark.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a seed, and when it breaks an invariant looks for a shorter run that does so too.
 *
 * <p>Only JDK types go in and out, because this class may be loaded anew beside itself: the answer
 * is empty, or the problem followed by the steps of the shortest run found.
 */
public final class Search implements LongFunction<String[]> {
  private static final int MOST_RUNS = 300;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Run(@Nullable Violation violation, List<String> trace, int[] decisions) {}

  /** For whoever loads it. */
  public Search() {}

  /** A world and what happens in it. */
  record Story(World world, Runnable body) {}

  /** Makes the story of a scope, to be decided by the choices. */
  @FunctionalInterface
  interface Stories {
    Story story(Scope scope, Choices choices);
  }

  @Override
  public String[] apply(long seed) {
    return search(
        seed,
        Scope.of(seed),
        (scope, choices) -> {
          Cluster cluster = new Cluster(scope, choices);
          return new Story(cluster.world(), cluster::run);
        });
  }

  static String[] search(long seed, Scope scope, Stories stories) {
    Run run = run(stories.story(scope, Choices.random(seed)));
    if (run.violation == null) {
      return new String[0];
    }
    Run shortest = shrink(scope, stories, run);
    Violation found = shortest.violation == null ? run.violation : shortest.violation;
    return Stream.concat(Stream.of(String.valueOf(found.getMessage())), shortest.trace.stream())
        .toArray(String[]::new);
  }

  private static Run run(Story story) {
    Violation found = null;
    try {
      story.body.run();
    } catch (Violation e) {
      found = e;
    }
    return new Run(found, story.world.trace(), story.world.choices().made());
  }

  /** Cuts the end off, then makes stretches of decisions plain, larger ones first. */
  private static Run shrink(Scope scope, Stories stories, Run failing) {
    Run best = failing;
    int runs = 0;
    for (int length = best.decisions.length / 2; length >= 1; length /= 2) {
      for (int from = best.decisions.length - length; from >= 0; from -= length) {
        if (runs++ > MOST_RUNS) {
          return best;
        }
        int[] plainer = best.decisions.clone();
        int to = Math.min(from + length, plainer.length);
        if (from >= to || Arrays.stream(plainer, from, to).allMatch(choice -> choice == 0)) {
          continue;
        }
        Arrays.fill(plainer, from, to, 0);
        Run run = run(stories.story(scope, Choices.replay(plainer)));
        if (run.violation != null && run.trace.size() <= best.trace.size()) {
          best = run;
        }
      }
    }
    return best;
  }
}
