package io.tidemark.storage.postgres;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sorts failures by what may be concluded, from the SQLSTATE and the phase.
 *
 * <p>Where a write may have been committed, only the states listed here are definite: the server
 * sends them as the answer to a statement it has undone. Whatever else comes, and above all no
 * answer, is unknown.
 */
final class PostgresErrorClassifier {
  /** Somebody's row stands at the key of an insert. */
  static final String UNIQUE_VIOLATION = "23505";

  /** Our own statements divide by zero to undo themselves when a row was refused. */
  static final String REFUSED = "22012";

  static final String LOCK_NOT_AVAILABLE = "55P03";

  private static final String STATEMENT_COMPLETION_UNKNOWN = "40003";
  private static final String QUERY_CANCELED = "57014";
  static final String UNDEFINED_TABLE = "42P01";
  private static final String INVALID_SCHEMA = "3F000";
  static final String NO_PRIVILEGE = "42501";
  private static final Set<String> CORRUPTED = Set.of("XX001", "XX002");

  /** Classes whose errors end a statement that has changed nothing. */
  private static final Set<String> DEFINITE_CLASSES =
      Set.of(
          "0A", "21", "22", "23", "24", "25", "26", "28", "2B", "34", "3D", "3F", "40", "42", "44",
          "53", "54", "55", "P0");

  private PostgresErrorClassifier() {}

  /**
   * The exception to throw.
   *
   * @param what what was attempted, for the message
   */
  static StorageException classify(String what, SQLException failure, Phase phase) {
    String state = state(failure);
    String message =
        what + " failed" + (state == null ? "" : " with SQLSTATE " + state) + advice(state);
    if (state != null && CORRUPTED.contains(state)) {
      return new StorageCorruptedException(message + "; restore the database", failure);
    }
    return switch (phase) {
      case CONNECT, READ, IN_TRANSACTION -> new StorageUnavailableException(message, failure);
      case WRITE, COMMIT ->
          isDefinite(state)
              ? new StorageUnavailableException(message, failure)
              : new OutcomeUnknownException(message + ": it may have been written", failure);
    };
  }

  private static boolean isDefinite(@Nullable String state) {
    if (state == null || state.length() != 5 || state.equals(STATEMENT_COMPLETION_UNKNOWN)) {
      return false;
    }
    return state.equals(QUERY_CANCELED) || DEFINITE_CLASSES.contains(state.substring(0, 2));
  }

  /** The first SQLSTATE along the chain of causes: a pool wraps what the driver threw. */
  static @Nullable String state(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && sql.getSQLState() != null) {
        return sql.getSQLState();
      }
    }
    return null;
  }

  private static String advice(@Nullable String state) {
    if (state == null) {
      return "";
    }
    return switch (state) {
      case "28P01", "28000" -> ": the server refuses this user or password";
      case "3D000" -> ": there is no such database; create it first";
      case "57P03" -> ": the server is starting or stopping";
      case "53100" -> ": the server's disk is full";
      case "53300" -> ": the server takes no more connections";
      case "25006" -> ": the server is read-only; connect to the primary";
      case LOCK_NOT_AVAILABLE -> ": a lock was not had in time";
      case QUERY_CANCELED -> ": the statement took too long and was undone";
      case NO_PRIVILEGE -> ": this user may not; see the grants in the guide";
      case UNDEFINED_TABLE, INVALID_SCHEMA ->
          ": the schema is not there; create it with what `tidemark schema print` prints";
      default -> "";
    };
  }
}
