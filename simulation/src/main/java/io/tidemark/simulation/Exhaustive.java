package io.tidemark.simulation;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Walks every interleaving of the real engine in a small scope, instead of some of a large one.
 *
 * <p>A run is a list of decisions. The walk repeats the list up to its last decision that has
 * another option, takes that one, and goes on with the plainest. A state that was met before is not
 * walked again. A state is what the store holds and what each process did and saw, in order: a
 * process is a function of that, so steps of two processes that do not concern each other are
 * walked in one order only.
 *
 * <p>Only JDK types go in and out, because this class may be loaded anew beside itself.
 */
public final class Exhaustive implements Function<String, String[]> {
  private final Set<Long> met = new HashSet<>();
  private int fixed;

  /** For whoever loads it. */
  public Exhaustive() {}

  /** Ends a run in a state that was met before. */
  static final class Met extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Met() {
      super("met before", null, false, false);
    }
  }

  /**
   * Walks the scope {@code owners,commands,crashes,unknownOutcomes,mostHistories}; answers how many
   * states and histories there were and whether that were all, then the problem and its steps if
   * one was found.
   */
  @Override
  public String[] apply(String scope) {
    int[] size = Stream.of(scope.split(",")).mapToInt(Integer::parseInt).toArray();
    int[] decisions = {};
    for (long histories = 1; ; histories++) {
      Choices choices = Choices.replay(decisions);
      fixed = decisions.length;
      WalkedCluster cluster = new WalkedCluster(size[0], size[1], size[2], size[3], choices, this);
      Violation found = run(cluster);
      int[] next = next(choices.made(), choices.widths());
      if (found != null || next == null || histories == size[4]) {
        return answer(histories, found, next == null, cluster.world().trace());
      }
      decisions = next;
    }
  }

  private static @Nullable Violation run(WalkedCluster cluster) {
    try {
      cluster.run();
      return null;
    } catch (Violation e) {
      return e;
    } catch (Met e) {
      return null;
    }
  }

  /** A state of a run; ends the run if it was met before, unless it only repeats decisions. */
  void visit(long state, int decided) {
    if (!met.add(state) && decided >= fixed) {
      throw new Met();
    }
  }

  private static int @Nullable [] next(int[] made, int[] widths) {
    for (int i = made.length - 1; i >= 0; i--) {
      if (made[i] + 1 < widths[i]) {
        int[] next = Arrays.copyOf(made, i + 1);
        next[i]++;
        return next;
      }
    }
    return null;
  }

  private String[] answer(
      long histories, @Nullable Violation found, boolean all, List<String> trace) {
    String walked =
        String.format(
            Locale.ROOT,
            "%,d states, %,d histories, %s",
            met.size(),
            histories,
            found != null ? "one breaks" : all ? "all walked" : "not all walked");
    return found == null
        ? new String[] {walked}
        : Stream.concat(Stream.of(walked, String.valueOf(found.getMessage())), trace.stream())
            .toArray(String[]::new);
  }
}
