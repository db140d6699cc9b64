package io.tidemark.api;

import org.jspecify.annotations.Nullable;

/**
 * What was read breaks an invariant, or has a format this version does not know: stop. [F-4]
 *
 * <p>The message names the row and the remedy.
 */
public final class StorageCorruptedException extends StorageException {
  private static final long serialVersionUID = 1L;

  /** Names what was attempted. */
  public StorageCorruptedException(String message) {
    super(message, null);
  }

  /** Names what was attempted and keeps what the storage said. */
  public StorageCorruptedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
