package io.tidemark.storage.memory;

/** What becomes of one call, and what its caller is told. */
public enum Outcome {
  /** Done and answered. */
  APPLIED,
  /** Not done: {@link io.tidemark.api.StorageUnavailableException}. */
  REFUSED,
  /** Done, but the answer is lost: {@link io.tidemark.api.OutcomeUnknownException}. */
  UNKNOWN_APPLIED,
  /** Lost on its way: {@link io.tidemark.api.OutcomeUnknownException}. */
  UNKNOWN_LOST,
  /**
   * Still on its way: {@link io.tidemark.api.OutcomeUnknownException} now; it arrives, under its
   * ordinary conditions, with {@link MemoryStore#deliverLate}.
   */
  UNKNOWN_LATER,
  /** Done and answered; the same request arrives again with {@link MemoryStore#deliverLate}. */
  DUPLICATED
}
