package io.tidemark.api;

import org.jspecify.annotations.Nullable;

/**
 * A storage could not do what it was asked, sorted by what the caller may conclude.
 *
 * <p>The tree is sealed: a storage classifies its failures and never invents a sixth conclusion.
 */
public abstract sealed class StorageException extends RuntimeException
    permits StorageUnavailableException,
        OutcomeUnknownException,
        FencedException,
        SequenceViolationException,
        StorageCorruptedException {
  private static final long serialVersionUID = 1L;

  StorageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
