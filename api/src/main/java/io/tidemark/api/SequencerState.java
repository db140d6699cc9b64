package io.tidemark.api;

/**
 * What a sequencer is doing.
 *
 * <pre>
 * ACTUALIZING --tail read--&gt; READY --start--&gt; IN_TRANSACTION --flush | cancel--&gt; READY
 *      ^                                            |
 *      +---------------- actualize -----------------+
 * ACTUALIZING --another owner--&gt; FENCED;  ACTUALIZING --corruption--&gt; FAILED;  any --close--&gt; CLOSED
 * </pre>
 */
public enum SequencerState {
  /** Bringing numbers in line with the log. */
  ACTUALIZING,
  /** Waiting for a transaction. */
  READY,
  /** A transaction is open or staged. */
  IN_TRANSACTION,
  /** Another owner has the partition; final. */
  FENCED,
  /** Corruption or a violation was found; final. */
  FAILED,
  /** Closed; final. */
  CLOSED
}
