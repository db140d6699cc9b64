package io.tidemark.api;

/** A sequence of that name is there already; nothing was created. */
public final class SequenceExistsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Names the sequence. */
  public SequenceExistsException(String message) {
    super(message);
  }
}
