package io.tidemark.api;

/** Somebody else's row stands where an insert was asked for; nothing was written. [T-1] */
public final class SequenceViolationException extends StorageException {
  private static final long serialVersionUID = 1L;

  /** The occupied key. */
  private final String key;

  /** Names the occupied key, such as {@code PLog offset 17}, and what was found there. */
  public SequenceViolationException(String key, String found) {
    super(key + " is taken by somebody else's row: " + found, null);
    this.key = key;
  }

  /** The occupied key, as an operator would name it. */
  public String key() {
    return key;
  }
}
