package io.tidemark.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Like {@link Search}, for stories about the pipeline. Only JDK types go in and out. */
public final class PipelineSearch implements LongFunction<String[]> {
  private static final int MOST_RUNS = 40;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Run(@Nullable Violation violation, List<String> trace, int[] decisions) {}

  /** For whoever loads it. */
  public PipelineSearch() {}

  @Override
  public String[] apply(long seed) {
    PipelineScope scope = PipelineScope.of(seed);
    Run run = run(scope, Choices.random(seed));
    if (run.violation == null) {
      return new String[0];
    }
    Run shortest = shrink(scope, run);
    Violation found = shortest.violation == null ? run.violation : shortest.violation;
    return Stream.concat(Stream.of(String.valueOf(found.getMessage())), shortest.trace.stream())
        .toArray(String[]::new);
  }

  private static Run run(PipelineScope scope, Choices choices) {
    PipelineStory story = new PipelineStory(scope, choices);
    Violation found = null;
    try {
      story.run();
    } catch (Violation e) {
      found = e;
    } catch (AssertionError e) { // an actor met what the pipeline never throws
      found = new Violation("I15", String.valueOf(e.getCause()));
    }
    return new Run(found, story.world().trace(), choices.made());
  }

  /** Cuts the end off, then makes stretches of decisions plain, larger ones first. */
  private static Run shrink(PipelineScope scope, Run failing) {
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
        Run run = run(scope, Choices.replay(plainer));
        if (run.violation != null && run.trace.size() <= best.trace.size()) {
          best = run;
        }
      }
    }
    return best;
  }
}
