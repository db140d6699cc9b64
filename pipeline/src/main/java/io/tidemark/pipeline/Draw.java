package io.tidemark.pipeline;

import io.tidemark.api.SystemSequences;

/**
 * A field's value in a command: the next number of a custom sequence, such as an invoice number. In
 * the event it has become a {@link Drawn}.
 *
 * @param seqId the sequence, one of the workspace kind's custom ones
 */
public record Draw(int seqId) {
  /** Refuses the platform's own sequences. */
  public Draw {
    if (seqId < SystemSequences.FIRST_CUSTOM || seqId > SystemSequences.MAX_ID) {
      throw new IllegalArgumentException(
          "a field can draw from the custom sequences 256..65535, was " + seqId);
    }
  }

  /** The next number of this sequence. */
  public static Draw of(int seqId) {
    return new Draw(seqId);
  }
}
