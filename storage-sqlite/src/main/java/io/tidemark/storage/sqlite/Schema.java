package io.tidemark.storage.sqlite;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.UnknownApplicationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The tables and how an application is found or made in them. Every table has its prefix, so that
 * the file may hold the caller's own tables too.
 */
final class Schema {
  /** Grows when the tables change; a file with a newer one is refused. */
  private static final long FORMAT_VERSION = 1;

  /** Between two tries to open the file, for about as long as another opener needs. */
  private static final long LONGEST_PAUSE_NANOS = 5_000_000;

  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE tidemark_format (version INTEGER NOT NULL) STRICT",
          """
          CREATE TABLE tidemark_application (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
            partitions INTEGER NOT NULL, log_bucket_events INTEGER NOT NULL,
            seq_data_buckets INTEGER NOT NULL, trust_level INTEGER,
            sequences_claim BLOB, sequences_owner TEXT NOT NULL DEFAULT '',
            next_sequence INTEGER NOT NULL DEFAULT 1) STRICT""",
          """
          CREATE TABLE tidemark_partition (
            app INTEGER NOT NULL, part INTEGER NOT NULL,
            epoch INTEGER NOT NULL, claim_id BLOB NOT NULL, owner TEXT NOT NULL,
            generation INTEGER NOT NULL, building INTEGER NOT NULL,
            last_generation INTEGER NOT NULL, failure_key TEXT, failure_cause TEXT,
            PRIMARY KEY (app, part)) STRICT, WITHOUT ROWID""",
          """
          CREATE TABLE tidemark_generation (
            app INTEGER NOT NULL, part INTEGER NOT NULL, generation INTEGER NOT NULL,
            next_offset INTEGER NOT NULL,
            PRIMARY KEY (app, part, generation)) STRICT, WITHOUT ROWID""",
          """
          CREATE TABLE tidemark_number (
            app INTEGER NOT NULL, part INTEGER NOT NULL, generation INTEGER NOT NULL,
            wsid INTEGER NOT NULL, seq_id INTEGER NOT NULL, number INTEGER NOT NULL,
            PRIMARY KEY (app, part, generation, wsid, seq_id)) STRICT, WITHOUT ROWID""",
          """
          CREATE TABLE tidemark_plog (
            app INTEGER NOT NULL, part INTEGER NOT NULL, plog_offset INTEGER NOT NULL,
            event BLOB NOT NULL,
            PRIMARY KEY (app, part, plog_offset)) STRICT, WITHOUT ROWID""",
          """
          CREATE TABLE tidemark_wlog (
            app INTEGER NOT NULL, part INTEGER NOT NULL,
            wsid INTEGER NOT NULL, id INTEGER NOT NULL,
            plog_offset INTEGER NOT NULL, data BLOB NOT NULL,
            PRIMARY KEY (app, part, wsid, id)) STRICT, WITHOUT ROWID""",
          """
          CREATE TABLE tidemark_record (
            app INTEGER NOT NULL, part INTEGER NOT NULL,
            wsid INTEGER NOT NULL, id INTEGER NOT NULL,
            plog_offset INTEGER NOT NULL, data BLOB NOT NULL,
            PRIMARY KEY (app, part, wsid, id)) STRICT, WITHOUT ROWID""",
          """
          CREATE TABLE tidemark_sequence (
            app INTEGER NOT NULL, id INTEGER NOT NULL, definition TEXT NOT NULL,
            version INTEGER NOT NULL, value INTEGER NOT NULL, issued INTEGER NOT NULL,
            PRIMARY KEY (app, id)) STRICT, WITHOUT ROWID""");

  private static final String FORMAT =
      "INSERT INTO tidemark_format VALUES (" + FORMAT_VERSION + ")";

  private record Application(long id, Layout layout) {}

  private Schema() {}

  /** What {@link #open} does to a new file, to be done by hand. */
  static String script() {
    return String.join(";\n", TABLES) + ";\n" + FORMAT + ";\n";
  }

  static IAppStorage open(SqliteStorageConfig config, @Nullable Layout layout) {
    requireFile(config, layout != null);
    long deadline = System.nanoTime() + config.timeout().toNanos();
    while (true) {
      try {
        return tryOpen(config, layout);
      } catch (SQLException e) {
        if (!SqliteErrorClassifier.isBusy(e)
            || System.nanoTime() - deadline > 0
            || Thread.currentThread().isInterrupted()) {
          throw SqliteErrorClassifier.notWritten("opening " + config.file(), e);
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
      }
    }
  }

  /**
   * Switching a new file to a write-ahead log needs the file alone. SQLite then answers busy at
   * once, to whoever switches and to whoever reads meanwhile, because two that waited would wait
   * for each other. So all of it is tried again.
   */
  private static IAppStorage tryOpen(SqliteStorageConfig config, @Nullable Layout layout)
      throws SQLException {
    Session session = new Session(Database.connect(config, layout != null));
    boolean done = false;
    try {
      Optional<Application> found =
          hasTables(session) ? find(session, config.application()) : Optional.empty();
      if (found.isEmpty() && layout == null) {
        throw new UnknownApplicationException(config.application());
      }
      requireWriteAheadLog(session, config);
      Application application = found.orElseGet(() -> create(config, requireNonNull(layout)));
      if (layout != null) {
        application.layout().requireSame(layout);
      }
      Database database = new Database(config);
      database.keep(session); // what it has read of the schema is not read again
      done = true;
      return new SqliteAppStorage(database, application.id(), application.layout());
    } finally {
      if (!done) {
        session.close();
      }
    }
  }

  private static void requireFile(SqliteStorageConfig config, boolean create) {
    Path file = config.file().toAbsolutePath();
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException(
          "'" + file + "' is a folder; name a database file in it, such as tidemark.db");
    }
    if (Files.exists(file)) {
      if (!Files.isWritable(file)) {
        throw new StorageUnavailableException(
            "'" + file + "' is not writable; give this user the right to write it");
      }
      return;
    }
    if (!create) {
      throw new UnknownApplicationException(config.application());
    }
    Path folder = file.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new StorageUnavailableException(
          "the folder of '" + file + "' does not exist; create it, or name another file");
    }
    if (!Files.isWritable(folder)) {
      throw new StorageUnavailableException(
          "the folder of '" + file + "' is not writable; give this user the right to write it");
    }
  }

  private static boolean hasTables(Session session) throws SQLException {
    String tables = "SELECT 1 FROM sqlite_schema WHERE name = 'tidemark_format'";
    if (session.first(tables, row -> row.getLong(1)).isEmpty()) {
      return false;
    }
    long version =
        session.first("SELECT version FROM tidemark_format", row -> row.getLong(1)).orElse(0L);
    if (version != FORMAT_VERSION) {
      throw new StorageCorruptedException(
          "the tables have format version %d, this release reads %d; use the release that wrote them"
              .formatted(version, FORMAT_VERSION));
    }
    return true;
  }

  private static Optional<Application> find(Session session, String name) throws SQLException {
    return session.first(
        """
        SELECT id, partitions, log_bucket_events, seq_data_buckets, trust_level
        FROM tidemark_application WHERE name = ?""",
        row -> new Application(row.getLong(1), layout(row)),
        name);
  }

  private static Layout layout(ResultSet row) throws SQLException {
    int level = row.getInt(5);
    TrustLevel trustLevel = row.wasNull() ? null : TrustLevel.of(level);
    return new Layout(row.getInt(2), row.getInt(3), row.getInt(4), trustLevel);
  }

  private static Application create(SqliteStorageConfig config, Layout layout) {
    Database database = new Database(config);
    try {
      return database.write(
          "creating application '" + config.application() + "'",
          session -> create(session, config.application(), layout));
    } finally {
      database.close();
    }
  }

  /** Runs in a transaction: another process may have created it a moment ago. */
  private static Application create(Session session, String name, Layout layout)
      throws SQLException {
    if (!hasTables(session)) {
      for (String table : TABLES) {
        session.update(table);
      }
      session.update(FORMAT);
    }
    Optional<Application> found = find(session, name);
    if (found.isPresent()) {
      return found.get();
    }
    TrustLevel level = layout.trustLevel();
    return session
        .first(
            """
            INSERT INTO tidemark_application
              (name, partitions, log_bucket_events, seq_data_buckets, trust_level)
            VALUES (?, ?, ?, ?, ?) RETURNING id""",
            row -> new Application(row.getLong(1), layout),
            name,
            layout.partitions(),
            layout.logBucketEvents(),
            layout.seqDataBuckets(),
            level == null ? null : Arrays.asList(TrustLevel.values()).indexOf(level))
        .orElseThrow();
  }

  /** The mode is kept in the file, so only the first opener of a file switches it. */
  private static void requireWriteAheadLog(Session session, SqliteStorageConfig config)
      throws SQLException {
    String mode = journalMode(session, "PRAGMA journal_mode");
    if (!mode.equals("wal")) {
      mode = journalMode(session, "PRAGMA journal_mode = WAL");
    }
    if (!mode.equals("wal")) {
      throw new StorageUnavailableException(
          "'%s' cannot be switched to a write-ahead log, it stays in mode %s; use a local disk"
              .formatted(config.file(), mode));
    }
  }

  private static String journalMode(Session session, String pragma) throws SQLException {
    return session.first(pragma, row -> row.getString(1)).orElse("");
  }
}
