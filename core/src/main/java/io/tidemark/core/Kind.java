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
  /** No kind at all: no sequence is defined for it. */
  static final Kind NONE = new Kind(0, 0, Map.of());

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

  private Kind(int wsKind, int ordinal, Map<Integer, SequenceDefinition> sequences) {
    this.wsKind = wsKind;
    this.ordinal = ordinal;
    size = sequences.size();
    storedIds = new int[size + 1];
    definitions = new SequenceDefinition[size];
    TreeMap<Integer, SequenceDefinition> sorted = new TreeMap<>(sequences);
    dense = new short[sorted.isEmpty() ? 0 : sorted.lastKey() + 1];
    Arrays.fill(dense, UNKNOWN);
    short next = 0;
    for (Map.Entry<Integer, SequenceDefinition> entry : sorted.entrySet()) {
      SequenceDefinition definition = entry.getValue();
      dense[entry.getKey()] = next;
      storedIds[next] = entry.getKey();
      definitions[next] = definition;
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

  /** Cells for a transaction to work with, one per sequence. */
  Cell[] newCells(Places queue) {
    Cell[] cells = new Cell[size];
    for (int i = 0; i < size; i++) {
      cells[i] = new Cell(storedIds[i], i, definitions[i], queue.of(storedIds[i]));
    }
    return cells;
  }

  /**
   * Where a sequence stands by what is stored of it: below its minimum it stands one step before
   * that, whatever is stored.
   */
  long floored(int index, long stored) {
    SequenceDefinition definition = definitions[index];
    return stored < definition.min() ? definition.min() - definition.increment() : stored;
  }
}
