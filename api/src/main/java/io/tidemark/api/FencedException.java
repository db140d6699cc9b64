package io.tidemark.api;

import org.jspecify.annotations.Nullable;

/**
 * Another owner has claimed the partition: this handle never writes to the log again. [F-3]
 *
 * <p>A log read after this exception is final for everything this handle attempted.
 */
public final class FencedException extends StorageException {
  private static final long serialVersionUID = 1L;

  /** Names what was attempted. */
  public FencedException(String message) {
    super(message, null);
  }

  /** Names what was attempted and keeps what the storage said. */
  public FencedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
