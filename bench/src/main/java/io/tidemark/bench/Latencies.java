package io.tidemark.bench;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Latencies of two sides that take turns: all of them, and a p99 for each block of rounds. */
final class Latencies {
  /** The fewest commands that have a p99 worth its name. */
  private static final int BLOCK = 200;

  /** Plain inserts since the last block ended. */
  final Histogram plain = new Histogram(3);

  /** Commands since the last block ended. */
  final Histogram commands = new Histogram(3);

  /** All plain inserts, once {@link #endOfRound} has seen them. */
  final Histogram allPlain = new Histogram(3);

  /** All commands, once {@link #endOfRound} has seen them. */
  final Histogram allCommands = new Histogram(3);

  private final List<Double> ratios = new ArrayList<>();
  private Histogram plainOfBlock = new Histogram(3);
  private Histogram commandsOfBlock = new Histogram(3);

  void endOfRound() {
    plainOfBlock.add(plain);
    commandsOfBlock.add(commands);
    allPlain.add(plain);
    allCommands.add(commands);
    plain.reset();
    commands.reset();
    if (commandsOfBlock.getTotalCount() >= BLOCK) {
      ratios.add(
          (double) commandsOfBlock.getValueAtPercentile(99)
              / plainOfBlock.getValueAtPercentile(99));
      plainOfBlock = new Histogram(3);
      commandsOfBlock = new Histogram(3);
    }
  }

  /** The ratio of the p99s in each block; too few commands make no block. */
  List<Double> p99Ratios() {
    return ratios;
  }
}
