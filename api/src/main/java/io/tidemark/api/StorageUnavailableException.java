package io.tidemark.api;

import org.jspecify.annotations.Nullable;

/** Nothing was written; the same call may succeed later. [F-1] */
public final class StorageUnavailableException extends StorageException {
  private static final long serialVersionUID = 1L;

  /** Names what was attempted. */
  public StorageUnavailableException(String message) {
    super(message, null);
  }

  /** Names what was attempted and keeps what the storage said. */
  public StorageUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
