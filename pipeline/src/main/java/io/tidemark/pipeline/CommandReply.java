package io.tidemark.pipeline;

import java.util.List;
import java.util.Map;

/**
 * What became of a command: logged, applied, projected.
 *
 * @param plogOffset its event's place in the partition's log
 * @param wlogOffset its event's place in the workspace's log
 * @param newIds the id that each raw id became
 * @param drawn the numbers drawn from custom sequences, in the order drawn
 */
public record CommandReply(
    long plogOffset, long wlogOffset, Map<Long, Long> newIds, List<Drawn> drawn) {
  /** Copies. */
  public CommandReply {
    newIds = Map.copyOf(newIds);
    drawn = List.copyOf(drawn);
  }

  /** The id that this raw id became. */
  public long newId(long rawId) {
    Long id = newIds.get(rawId);
    if (id == null) {
      throw new IllegalArgumentException("raw id " + rawId + " is not one of " + newIds.keySet());
    }
    return id;
  }

  /** The first number drawn from this sequence. */
  public long drawn(int seqId) {
    for (Drawn one : drawn) {
      if (one.seqId() == seqId) {
        return one.number();
      }
    }
    throw new IllegalArgumentException("no number was drawn from sequence " + seqId);
  }
}
