package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.FDBException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * What may be concluded from an error of the client, by its code alone: {@code
 * FDBException.isRetryable} asks the native library, which may be what is missing.
 *
 * <p>An error before the commit was sent wrote nothing, whatever its code. At the commit a code
 * that is not known to mean "not committed" is an unknown outcome.
 */
final class FoundationDbErrorClassifier {
  /** What follows from an error. */
  enum Conclusion {
    /** Nothing was written, and the same transaction may succeed at once. */
    AGAIN,
    /** Maybe written, but no longer on its way: may be repeated where it would find itself. */
    MAYBE_WRITTEN,
    /** Maybe written, and may still be on its way: only a new epoch decides. */
    MAYBE_LATER,
    /** Nothing was written; not now. */
    UNAVAILABLE,
    /** Nothing was written, and the same call never succeeds: a limit or a misuse. */
    REFUSED
  }

  static final int TRANSACTION_TOO_OLD = 1007;
  static final int FUTURE_VERSION = 1009;
  static final int NOT_COMMITTED = 1020;
  static final int COMMIT_UNKNOWN_RESULT = 1021;
  static final int TRANSACTION_CANCELLED = 1025;
  static final int TRANSACTION_TIMED_OUT = 1031;
  static final int PROCESS_BEHIND = 1037;
  static final int DATABASE_LOCKED = 1038;
  static final int CLUSTER_VERSION_CHANGED = 1039;
  static final int COMMIT_PROXY_MEMORY_LIMIT = 1042;
  static final int BATCH_THROTTLED = 1051;
  static final int READ_VERSION_PROXY_MEMORY_LIMIT = 1078;
  static final int OPERATION_CANCELLED = 1101;
  static final int TAG_THROTTLED = 1213;
  static final int PROXY_TAG_THROTTLED = 1223;
  static final int THROTTLED_HOT_SHARD = 1235;
  static final int USED_DURING_COMMIT = 2017;
  private static final int FIRST_MISUSE = 2000;
  private static final int LAST_MISUSE = 2999;

  private FoundationDbErrorClassifier() {}

  static Conclusion conclude(int code, boolean committing) {
    return switch (code) {
      case TRANSACTION_TOO_OLD,
          FUTURE_VERSION,
          NOT_COMMITTED,
          PROCESS_BEHIND,
          DATABASE_LOCKED,
          COMMIT_PROXY_MEMORY_LIMIT,
          BATCH_THROTTLED,
          READ_VERSION_PROXY_MEMORY_LIMIT,
          TAG_THROTTLED,
          PROXY_TAG_THROTTLED,
          THROTTLED_HOT_SHARD ->
          Conclusion.AGAIN;
      case COMMIT_UNKNOWN_RESULT -> committing ? Conclusion.MAYBE_WRITTEN : Conclusion.AGAIN;
      case CLUSTER_VERSION_CHANGED -> committing ? Conclusion.MAYBE_LATER : Conclusion.AGAIN;
      default -> unlisted(code, committing);
    };
  }

  private static Conclusion unlisted(int code, boolean committing) {
    if (code >= FIRST_MISUSE && code <= LAST_MISUSE) {
      return Conclusion.REFUSED;
    }
    // 1025, 1031 and 1101 are among these, and every code that a newer client may bring.
    return committing ? Conclusion.MAYBE_LATER : Conclusion.UNAVAILABLE;
  }

  /** The client's error inside of {@code thrown}, or null if it is none. */
  static @Nullable FDBException find(@Nullable Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof FDBException found ? found : null;
  }
}
