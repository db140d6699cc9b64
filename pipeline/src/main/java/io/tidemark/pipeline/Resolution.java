package io.tidemark.pipeline;

/** What an operator decides about a failed partition. */
public enum Resolution {
  /** The foreign row is gone: go on where the partition stopped. */
  RETRY,
  /**
   * The foreign row stays: an event that is in the log is marked corrupted and not applied; if
   * nothing was logged, a floor is, so that the next number comes after the row's.
   */
  SKIP
}
