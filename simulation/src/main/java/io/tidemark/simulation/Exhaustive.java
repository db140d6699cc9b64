package io.tidemark.simulation;

import io.tidemark.spi.Epoch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Walks every interleaving of the real engine in a small scope, instead of some of a large one.
 *
 * <p>A run is a list of decisions. The walk repeats the list up to its last decision that has
 * another option, takes that one, and goes on with the first. A state that was met before is not
 * walked again.
 *
 * <p>Of moves that commute one order is walked: once a move was walked from a state it is asleep in
 * what follows its siblings, until something happens that does not commute with it. A state met
 * again with fewer moves asleep is walked on with those alone. ADR 19 says which moves commute.
 *
 * <p>Only JDK types go in and out, because this class may be loaded anew beside itself.
 */
public final class Exhaustive implements Function<String, String[]> {
  private final Met met = new Met();
  private final Set<Long> ends = new TreeSet<>();
  private final Set<Long> stores = new TreeSet<>();
  private final List<Place> places = new ArrayList<>();
  private final Set<Object> sleeping = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Class<?>, Integer> types = new HashMap<>();
  private Mode mode = Mode.REDUCED;
  private int depth;
  private Choices choices = Choices.replay(new int[0]);

  /** For whoever loads it. */
  public Exhaustive() {}

  /** What counts as the same state; all but the last are there to compare with. */
  enum Mode {
    /** Processes that did and saw the same, in order; every order of all moves is walked. */
    PLAIN,
    /** A stack may hold anything its thread could reach at any of its steps. */
    CAREFUL,
    /** A stack holds what ADR 19 says. */
    REDUCED
  }

  /** A state on the way of the present run. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Place(int decided, int[] moves, int asleep, long[] heaps) {}

  /** Ends a run whose further way is walked elsewhere. */
  static final class Walked extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Walked() {
      super("walked elsewhere", null, false, false);
    }
  }

  /**
   * Walks the scope {@code owners,commands,changes,unknownOutcomes,mostHistories}, with a sixth
   * word in another mode; answers how many states and histories there were and whether that were
   * all, then the problem and its steps if one was found.
   */
  @Override
  public String[] apply(String scope) {
    String[] words = scope.split(",");
    int[] size = Stream.of(words).limit(5).mapToInt(Integer::parseInt).toArray();
    if (words.length > 5) {
      mode = Mode.valueOf(words[5].toUpperCase(Locale.ROOT));
    }
    int[] decisions = {};
    for (long histories = 1; ; histories++) {
      Violation found = run(size, decisions, true).violation;
      int[] made = choices.made();
      int[] next = next(made, choices.widths());
      if (found != null) {
        return answer(histories, found, false, run(size, made, false).trace);
      }
      if (next == null || histories == size[4]) {
        return answer(histories, null, next == null, List.of());
      }
      decisions = next;
      while (!places.isEmpty() && places.get(places.size() - 1).decided >= decisions.length) {
        places.remove(places.size() - 1);
      }
    }
  }

  /** What was stored and answered when everybody had come to rest. */
  Set<Long> ends() {
    return ends;
  }

  /** What was stored and answered at any time. */
  Set<Long> stores() {
    return stores;
  }

  HeapHash.Look lookWith(Epoch current) {
    return new HeapHash.Look(current, types);
  }

  void stored(long rowsAndAnswers) {
    stores.add(rowsAndAnswers);
  }

  private record Run(@Nullable Violation violation, List<String> trace) {}

  private Run run(int[] size, int[] decisions, boolean quiet) {
    choices = Choices.replay(decisions);
    depth = 0;
    sleeping.clear();
    WalkedCluster cluster = new WalkedCluster(size, choices, this, mode, quiet);
    Violation violation = null;
    try {
      ends.add(cluster.run());
    } catch (Violation e) {
      violation = e;
    } catch (Walked e) {
      // what comes now was seen
    }
    return new Run(violation, cluster.world().trace());
  }

  /** Whether the run still repeats what was checked before. */
  boolean isRepeating() {
    return depth < places.size();
  }

  /** What the processes held here when the run that is repeated came by. */
  long[] heaps() {
    return places.get(depth).heaps;
  }

  /** Takes one of the moves, which are in the order of their ids; null if there are none. */
  @Nullable Move next(List<Move> moves, int preferred, LongSupplier state, long[] heaps) {
    if (depth == places.size()) {
      places.add(arrive(moves, preferred, state.getAsLong(), heaps));
    }
    Place place = places.get(depth++);
    if (moves.isEmpty()) {
      return null;
    }
    if (place.moves.length == 0) {
      throw new Walked();
    }
    int chosen = choices.choose(place.moves.length);
    Move move = moves.get(place.moves[chosen]);
    int asleep = place.asleep;
    for (int i = 0; i < chosen; i++) {
      asleep |= 1 << place.moves[i];
    }
    sleeping.clear();
    for (int i = 0; mode != Mode.PLAIN && i < moves.size(); i++) {
      if ((asleep & 1 << i) != 0 && moves.get(i).commutesWith(move)) {
        sleeping.add(moves.get(i).key());
      }
    }
    return move;
  }

  private Place arrive(List<Move> moves, int preferred, long state, long[] heaps) {
    int asleep = 0;
    for (int i = 0; i < moves.size(); i++) {
      asleep |= sleeping.contains(moves.get(i).key()) ? 1 << i : 0;
    }
    int todo = preferred & ~asleep;
    if (met.contains(state)) {
      int before = met.asleep(state);
      todo = before & ~asleep;
      asleep &= before;
    }
    met.put(state, asleep);
    int[] indexes = new int[Integer.bitCount(todo)];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = Integer.numberOfTrailingZeros(todo);
      todo &= todo - 1;
    }
    return new Place(choices.count(), indexes, asleep, heaps);
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
            "%,d states, %,d histories, %,d ends, %s",
            met.size(),
            histories,
            ends.size(),
            found != null ? "one breaks" : all ? "all walked" : "not all walked");
    return found == null
        ? new String[] {walked}
        : Stream.concat(Stream.of(walked, String.valueOf(found.getMessage())), trace.stream())
            .toArray(String[]::new);
  }
}
