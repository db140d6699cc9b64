package io.tidemark.cli;

import io.tidemark.api.SequenceDefinition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The parts of a sequence definition, as options. */
final class SequenceFlags {
  @Option(
      names = "--start",
      paramLabel = "N",
      description = "The first number; default: the range's near end.")
  private @Nullable Long start;

  @Option(names = "--min", paramLabel = "N", description = "The smallest number.")
  private @Nullable Long min;

  @Option(names = "--max", paramLabel = "N", description = "The largest number.")
  private @Nullable Long max;

  @Option(names = "--increment", paramLabel = "N", description = "The step, not 0; default: 1.")
  private @Nullable Long increment;

  @Option(
      names = "--cycle",
      negatable = true,
      description = "Whether to go on at the other end of the range; default: no.")
  private @Nullable Boolean cycle;

  SequenceFlags() {}

  boolean isAnyGiven() {
    return start != null || min != null || max != null || increment != null || cycle != null;
  }

  /** The definition with what is given in place of what it has. */
  SequenceDefinition on(SequenceDefinition.Builder definition) {
    if (start != null) {
      definition.start(start);
    }
    if (min != null) {
      definition.min(min);
    }
    if (max != null) {
      definition.max(max);
    }
    if (increment != null) {
      definition.increment(increment);
    }
    if (cycle != null) {
      definition.cycle(cycle);
    }
    return definition.build();
  }
}
