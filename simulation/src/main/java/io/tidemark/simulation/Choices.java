package io.tidemark.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * Every decision of a simulated run, as a list of small numbers: the same list gives the same run,
 * bit for bit. 0 is always the plainest option, so that dropping a decision makes a run plainer.
 */
final class Choices {
  private final int[] given;
  private final boolean random;
  private final List<Integer> made = new ArrayList<>();
  private final List<Integer> widths = new ArrayList<>();
  private long state;

  private Choices(int[] given, boolean random, long seed) {
    this.given = given;
    this.random = random;
    this.state = seed;
  }

  /** Decisions from a seed. */
  static Choices random(long seed) {
    return new Choices(new int[0], true, Mix.spread(seed + 0x9E3779B97F4A7C15L));
  }

  /** These decisions, then the plainest. */
  static Choices replay(int[] decisions) {
    return new Choices(decisions, false, 0);
  }

  /** Decides between {@code options} possibilities. */
  int choose(int options) {
    int choice = 0;
    if (options > 1) {
      int at = made.size();
      if (at < given.length) {
        choice = Math.min(given[at], options - 1);
      } else if (random) {
        state += 0x9E3779B97F4A7C15L;
        choice = (int) Long.remainderUnsigned(Mix.spread(state), options);
      }
      made.add(choice);
      widths.add(options);
    }
    return choice;
  }

  /** Happens in {@code times} of {@code of} cases. */
  boolean chance(int times, int of) {
    return choose(of) >= of - times;
  }

  /** How many decisions were made. */
  int count() {
    return made.size();
  }

  int[] made() {
    return made.stream().mapToInt(Integer::intValue).toArray();
  }

  /** How many options each decision had. */
  int[] widths() {
    return widths.stream().mapToInt(Integer::intValue).toArray();
  }
}
