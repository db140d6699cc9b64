package io.tidemark.api;

/**
 * A sequence definition contradicts itself; the message names the field, the bound and the value.
 */
public final class InvalidSequenceException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** The field at fault. */
  private final String field;

  /** Names the field at fault: start, range, increment, name, or a word of the SQL text. */
  public InvalidSequenceException(String field, String message) {
    super(message);
    this.field = field;
  }

  /** The field at fault. */
  public String field() {
    return field;
  }
}
