package io.tidemark.api;

import org.jspecify.annotations.Nullable;

/** The write may or may not have happened, and may still happen: settle before concluding. [F-2] */
public final class OutcomeUnknownException extends StorageException {
  private static final long serialVersionUID = 1L;

  /** Names what was attempted. */
  public OutcomeUnknownException(String message) {
    super(message, null);
  }

  /** Names what was attempted and keeps what the storage said. */
  public OutcomeUnknownException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
