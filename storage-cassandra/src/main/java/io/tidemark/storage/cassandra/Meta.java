package io.tidemark.storage.cassandra;

import io.tidemark.spi.Epoch;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.PartitionInfo;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A partition's meta row.
 *
 * @param epoch the current term of ownership
 * @param owner the diagnostic text of the last claim
 * @param openBucket the one log bucket that takes appends; set before that bucket opens
 * @param logEnd at level 2, the last offset that is in the log whatever its epoch; else 0
 * @param isDecided false at level 2 from an epoch's first moment until the log that the one before
 *     it left has an end: then {@code logEnd} is still the earlier epoch's
 * @param generation the SeqData generation in use
 * @param building the generation under construction, or 0
 * @param lastGeneration the highest generation ever given
 * @param failure why the partition must not be served, or null
 * @param corrupted offsets of events that are marked corrupted
 */
record Meta(
    Epoch epoch,
    String owner,
    long openBucket,
    long logEnd,
    boolean isDecided,
    long generation,
    long building,
    long lastGeneration,
    @Nullable PartitionFailure failure,
    Set<Long> corrupted) {
  static final long NO_GENERATION = 0;

  /** What is true of a partition nobody has claimed. */
  static final Meta FRESH =
      new Meta(Epoch.NONE, "", 0, 0, true, 1, NO_GENERATION, 1, null, Set.of());

  /** The stored form of an end that is not decided: an offset is never negative. */
  static long undecided(long logEnd) {
    return ~logEnd;
  }

  /** The epoch whose puts beyond {@code logEnd} are in the log; each follows the one before it. */
  long writer() {
    return isDecided ? epoch.number() : epoch.number() - 1;
  }

  boolean isFresh() {
    return epoch.equals(Epoch.NONE);
  }

  /** The same row for a handle of this epoch, also where a later claim has moved it on. */
  Meta asOf(Epoch claimed) {
    return new Meta(
        claimed,
        owner,
        openBucket,
        logEnd,
        isDecided,
        generation,
        building,
        lastGeneration,
        failure,
        corrupted);
  }

  PartitionInfo info() {
    return new PartitionInfo(epoch, owner, generation, failure);
  }
}
