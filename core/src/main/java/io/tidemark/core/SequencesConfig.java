package io.tidemark.core;

/**
 * How SQL-like sequences are kept.
 *
 * @param pruneEvery after how many registrations of a sequence the storage is told to delete the
 *     old ones; default 1000
 */
public record SequencesConfig(int pruneEvery) {
  /** The default of {@link #pruneEvery}. */
  public static final int DEFAULT_PRUNE_EVERY = 1000;

  /** Refuses what cannot be. */
  public SequencesConfig {
    if (pruneEvery < 1) {
      throw new IllegalArgumentException("pruneEvery must be >= 1, was " + pruneEvery);
    }
  }

  /** The defaults. */
  public static SequencesConfig defaults() {
    return new SequencesConfig(DEFAULT_PRUNE_EVERY);
  }
}
