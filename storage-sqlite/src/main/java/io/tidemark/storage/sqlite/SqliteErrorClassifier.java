package io.tidemark.storage.sqlite;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import java.sql.SQLException;

/**
 * What the caller may conclude from an error of SQLite.
 *
 * <p>Before COMMIT every error means that nothing was written: the transaction is rolled back, by
 * us, by SQLite, or by the next opener. At COMMIT only a lock that was not free proves the same;
 * after any other error the commit record may be in the file, and a crash could make it count.
 */
final class SqliteErrorClassifier {
  private static final int ERROR = 1;
  private static final int PERM = 3;
  private static final int BUSY = 5;
  private static final int LOCKED = 6;
  private static final int READONLY = 8;
  private static final int IOERR = 10;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int CANTOPEN = 14;
  private static final int TOOBIG = 18;
  private static final int NOTADB = 26;
  private static final int PRIMARY_CODE = 0xFF;

  private SqliteErrorClassifier() {}

  /** An error of a read, or of a write before its COMMIT. */
  static StorageException notWritten(String what, SQLException error) {
    if (isCorruption(error)) {
      return corrupted(what, error);
    }
    return new StorageUnavailableException(
        what + " failed, nothing was written: " + reason(error), error);
  }

  /** An error of COMMIT itself. */
  static StorageException atCommit(String what, SQLException error) {
    return switch (primaryCode(error)) {
      case BUSY, LOCKED -> notWritten(what, error);
      case CORRUPT, NOTADB -> corrupted(what, error);
      default ->
          new OutcomeUnknownException(
              what + " failed while committing, it may be stored or not: " + reason(error), error);
    };
  }

  /** Whether somebody else holds a lock on the file. */
  static boolean isBusy(SQLException error) {
    return primaryCode(error) == BUSY;
  }

  /** SQLITE_ERROR is a statement that does not fit the schema: a table is missing or another. */
  private static boolean isCorruption(SQLException error) {
    int code = primaryCode(error);
    return code == CORRUPT || code == NOTADB || code == ERROR;
  }

  private static StorageException corrupted(String what, SQLException error) {
    return new StorageCorruptedException(what + " failed: " + reason(error), error);
  }

  private static int primaryCode(SQLException error) {
    return error.getErrorCode() & PRIMARY_CODE;
  }

  private static String reason(SQLException error) {
    String remedy =
        switch (primaryCode(error)) {
          case BUSY, LOCKED -> "another writer holds the database longer than the timeout";
          case PERM, READONLY -> "the file or its folder is not writable; give this user the right";
          case IOERR -> "the disk reports an error; check it";
          case FULL -> "the disk is full; make room";
          case CANTOPEN -> "the file cannot be opened; check the folder and the user's rights";
          case TOOBIG -> "a row is larger than SQLite allows";
          case CORRUPT -> "the database is damaged; restore it from a backup";
          case NOTADB -> "the file is not an SQLite database; name another one";
          case ERROR -> "the tables are not those Tidemark creates; restore them from a backup";
          default -> "SQLite error " + error.getErrorCode();
        };
    return remedy + " (" + error.getMessage() + ")";
  }
}
