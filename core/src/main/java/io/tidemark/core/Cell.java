package io.tidemark.core;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceExhaustedException;

/**
 * One sequence of the open transaction: where it stands, and what a draw needs to know of it.
 *
 * <p>An object and not places of an array, because a draw touches most of them and each place would
 * cost a bounds check.
 */
final class Cell {
  /** Set in {@link #count} when an explicit number was observed. */
  static final long OBSERVED = Long.MIN_VALUE;

  final int seqId;

  /** Which of the workspace's numbers it is. */
  final int index;

  /** The row of the flush queue that its number goes to, and where in it. */
  final int block;

  final int inRow;

  private final SequenceDefinition definition;
  private final long increment;

  /** The last number that another one may follow. */
  private final long limit;

  /** Where the sequence stands; valid once it was touched. */
  long last;

  /** How many were drawn, with a mark if one was observed; 0 = untouched. */
  long count;

  Cell(int seqId, int index, SequenceDefinition definition, int place) {
    this.seqId = seqId;
    this.index = index;
    this.block = FlushQueue.block(place);
    this.inRow = FlushQueue.inRow(place);
    this.definition = definition;
    this.increment = definition.increment();
    this.limit = definition.max() - increment;
  }

  /** The number after {@code before}. */
  long after(long before) {
    if (before > limit) {
      throw exhausted(before, 1);
    }
    return before + increment;
  }

  /** The last of {@code many} numbers after {@code before}; throws if they do not all fit. */
  long after(long before, int many) {
    if (before > limit || (limit - before) / increment < many - 1) {
      throw exhausted(before, many);
    }
    return before + many * increment;
  }

  private SequenceExhaustedException exhausted(long before, int many) {
    return definition.exhausted(before < definition.min() ? 0 : before, many);
  }

  /** Refuses an explicit number outside the sequence's range. */
  void requireInRange(long number) {
    if (!definition.contains(number)) {
      throw new IllegalArgumentException(
          "an observed number of "
              + definition.name()
              + " must be within "
              + definition.min()
              + ".."
              + definition.max()
              + ", was "
              + number);
    }
  }
}
