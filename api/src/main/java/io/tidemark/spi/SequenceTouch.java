package io.tidemark.spi;

/**
 * What one event did to one sequence of its workspace.
 *
 * @param seqId the sequence
 * @param count how many numbers were drawn
 * @param last the last number after the event, observed ones included
 * @param observed whether an explicit number was observed; if not, last = previous + count x
 *     increment
 */
public record SequenceTouch(int seqId, long count, long last, boolean observed) {
  /** Refuses what cannot be. */
  public SequenceTouch {
    if (seqId < 1 || seqId > 65535 || count < 0 || last < 1) {
      throw new IllegalArgumentException(
          "seqId must be 1..65535, count >= 0, last >= 1, was "
              + (seqId + ", " + count + ", " + last));
    }
  }
}
