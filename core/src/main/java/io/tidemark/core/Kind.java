package io.tidemark.core;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SystemSequences;
import io.tidemark.api.UnknownSequenceException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of one workspace kind, numbered densely: a workspace's numbers are a stretch of a
 * {@code long[]}, and a draw is an array access.
 */
final class Kind {
  private static final short UNKNOWN = -1;

  final int wsKind;

  /** Position among all kinds of the configuration. */
  final int ordinal;

  /** How many sequences there are. */
  final int size;

  /** What a miss reads: every sequence, then the workspace's kind. */
  final int[] storedIds;

  private final short[] dense;
  private final SequenceDefinition[] definitions;
  private final long[] min;
  private final long[] max;
  private final long[] increment;

  private Kind(int wsKind, int ordinal, Map<Integer, SequenceDefinition> sequences) {
    this.wsKind = wsKind;
    this.ordinal = ordinal;
    size = sequences.size();
    storedIds = new int[size + 1];
    definitions = new SequenceDefinition[size];
    min = new long[size];
    max = new long[size];
    increment = new long[size];
    TreeMap<Integer, SequenceDefinition> sorted = new TreeMap<>(sequences);
    dense = new short[sorted.isEmpty() ? 0 : sorted.lastKey() + 1];
    Arrays.fill(dense, UNKNOWN);
    short next = 0;
    for (Map.Entry<Integer, SequenceDefinition> entry : sorted.entrySet()) {
      SequenceDefinition definition = entry.getValue();
      dense[entry.getKey()] = next;
      storedIds[next] = entry.getKey();
      definitions[next] = definition;
      min[next] = definition.min();
      max[next] = definition.max();
      increment[next] = definition.increment();
      next++;
    }
    storedIds[size] = SystemSequences.WORKSPACE_KIND;
  }

  static Kind[] all(SequenceTypes types) {
    Kind[] kinds = new Kind[types.kinds().size()];
    int ordinal = 0;
    for (Map.Entry<Integer, Map<Integer, SequenceDefinition>> entry :
        new TreeMap<>(types.kinds()).entrySet()) {
      kinds[ordinal] = new Kind(entry.getKey(), ordinal, entry.getValue());
      ordinal++;
    }
    return kinds;
  }

  /** The dense number of a sequence. */
  int indexOf(int seqId) {
    int index = seqId >= 0 && seqId < dense.length ? dense[seqId] : UNKNOWN;
    if (index == UNKNOWN) {
      throw new UnknownSequenceException(
          "sequence "
              + seqId
              + " is not defined for workspace kind "
              + wsKind
              + (seqId == SystemSequences.PLOG_OFFSET ? ": start() answers log offsets" : ""));
    }
    return index;
  }

  /** The definition of a sequence, or null. */
  @Nullable SequenceDefinition definition(int seqId) {
    int index = seqId >= 0 && seqId < dense.length ? dense[seqId] : UNKNOWN;
    return index == UNKNOWN ? null : definitions[index];
  }

  /** The first of {@code count} numbers after {@code last}; all fit the range, or it throws. */
  long first(int index, long last, int count) {
    long top = max[index];
    long step = increment[index];
    long first;
    if (last < min[index]) {
      first = min[index];
    } else if (last > top || top - last < step) {
      throw definitions[index].exhausted(last, count);
    } else {
      first = last + step;
    }
    if (count > 1 && (top - first) / step < count - 1) {
      throw definitions[index].exhausted(last, count);
    }
    return first;
  }

  /** The last of {@code count} numbers that begin with {@code first}. */
  long last(int index, long first, int count) {
    return first + (count - 1) * increment[index];
  }

  /** Refuses an explicit number outside the sequence's range. */
  void requireInRange(int index, long number) {
    if (number < min[index] || number > max[index]) {
      throw new IllegalArgumentException(
          "an observed number of "
              + definitions[index].name()
              + " must be within "
              + min[index]
              + ".."
              + max[index]
              + ", was "
              + number);
    }
  }
}
