package io.tidemark.simulation;

/** The states a walk has met, each with the moves from it that were asleep: 12 bytes a state. */
final class Met {
  private static final int FIRST = 1 << 16;

  private long[] states = new long[FIRST];
  private int[] asleep = new int[FIRST];
  private int size;

  int size() {
    return size;
  }

  /** The moves that were asleep whenever this state was met, one bit each. */
  int asleep(long state) {
    return asleep[find(state)];
  }

  /** Marks a state as met, with these moves asleep. */
  void put(long state, int moves) {
    int at = find(state);
    if (states[at] == 0) {
      states[at] = key(state);
      if (++size > states.length / 4 * 3) {
        asleep[at] = moves;
        grow();
        return;
      }
    }
    asleep[at] = moves;
  }

  boolean contains(long state) {
    return states[find(state)] != 0;
  }

  private static long key(long state) {
    return state == 0 ? 1 : state; // 0 is a free place
  }

  private int find(long state) {
    long key = key(state);
    int mask = states.length - 1;
    int at = (int) Mix.spread(key) & mask;
    while (states[at] != 0 && states[at] != key) {
      at = at + 1 & mask;
    }
    return at;
  }

  private void grow() {
    long[] oldStates = states;
    int[] oldAsleep = asleep;
    states = new long[oldStates.length * 2];
    asleep = new int[states.length];
    for (int i = 0; i < oldStates.length; i++) {
      if (oldStates[i] != 0) {
        int at = find(oldStates[i]);
        states[at] = oldStates[i];
        asleep[at] = oldAsleep[i];
      }
    }
  }
}
