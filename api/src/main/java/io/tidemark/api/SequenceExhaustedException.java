package io.tidemark.api;

/** The sequence has no number left within its range; nothing was drawn. [E-9] */
public final class SequenceExhaustedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Names the sequence, its bound and its last number. */
  public SequenceExhaustedException(String message) {
    super(message);
  }
}
