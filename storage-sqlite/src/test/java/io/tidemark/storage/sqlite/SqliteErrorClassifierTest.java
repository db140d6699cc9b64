package io.tidemark.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Every error of SQLite, before COMMIT and at it. */
@Tag("F-1")
@Tag("F-2")
@Tag("F-4")
final class SqliteErrorClassifierTest {

  @ParameterizedTest
  @CsvSource({
    "SQLITE_BUSY,             UNAVAILABLE, UNAVAILABLE, another writer",
    "SQLITE_BUSY_SNAPSHOT,    UNAVAILABLE, UNAVAILABLE, another writer",
    "SQLITE_BUSY_RECOVERY,    UNAVAILABLE, UNAVAILABLE, another writer",
    "SQLITE_LOCKED,           UNAVAILABLE, UNAVAILABLE, another writer",
    "SQLITE_IOERR,            UNAVAILABLE, UNKNOWN,     disk reports an error",
    "SQLITE_IOERR_FSYNC,      UNAVAILABLE, UNKNOWN,     disk reports an error",
    "SQLITE_IOERR_WRITE,      UNAVAILABLE, UNKNOWN,     disk reports an error",
    "SQLITE_FULL,             UNAVAILABLE, UNKNOWN,     disk is full",
    "SQLITE_NOMEM,            UNAVAILABLE, UNKNOWN,     SQLite error",
    "SQLITE_INTERRUPT,        UNAVAILABLE, UNKNOWN,     SQLite error",
    "SQLITE_READONLY,         UNAVAILABLE, UNKNOWN,     not writable",
    "SQLITE_READONLY_DBMOVED, UNAVAILABLE, UNKNOWN,     not writable",
    "SQLITE_PERM,             UNAVAILABLE, UNKNOWN,     not writable",
    "SQLITE_CANTOPEN,         UNAVAILABLE, UNKNOWN,     cannot be opened",
    "SQLITE_PROTOCOL,         UNAVAILABLE, UNKNOWN,     SQLite error",
    "SQLITE_TOOBIG,           UNAVAILABLE, UNKNOWN,     larger than SQLite allows",
    "SQLITE_CORRUPT,          CORRUPTED,   CORRUPTED,   restore it from a backup",
    "SQLITE_CORRUPT_INDEX,    CORRUPTED,   CORRUPTED,   restore it from a backup",
    "SQLITE_NOTADB,           CORRUPTED,   CORRUPTED,   not an SQLite database",
    "SQLITE_ERROR,            CORRUPTED,   UNKNOWN,     not those Tidemark creates",
  })
  void error_beforeAndAtCommit_tellsWhatTheCallerMayConclude(
      SQLiteErrorCode code, Conclusion before, Conclusion atCommit, String remedy) {
    SQLException error = new SQLiteException("said SQLite", code);

    StorageException unsent = SqliteErrorClassifier.notWritten("append", error);
    StorageException sent = SqliteErrorClassifier.atCommit("append", error);

    assertThat(unsent).isInstanceOf(before.type).hasCause(error);
    assertThat(sent).isInstanceOf(atCommit.type).hasCause(error);
    assertThat(unsent).hasMessageContainingAll("append", remedy, "said SQLite");
    assertThat(sent).hasMessageContainingAll("append", remedy, "said SQLite");
  }

  enum Conclusion {
    UNAVAILABLE(StorageUnavailableException.class),
    UNKNOWN(OutcomeUnknownException.class),
    CORRUPTED(StorageCorruptedException.class);

    private final Class<? extends StorageException> type;

    Conclusion(Class<? extends StorageException> type) {
      this.type = type;
    }
  }
}
