package io.tidemark.api;

/** The sequence does not exist: not defined for this workspace kind, never created, or dropped. */
public final class UnknownSequenceException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Names the sequence and where it was looked for. */
  public UnknownSequenceException(String message) {
    super(message);
  }
}
