package io.tidemark.storage.sqlite;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.ISequenceStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One owner's claim of an application's SQL-like sequences. A transaction is a connection to the
 * same file, not in auto-commit mode.
 *
 * <p>One row per sequence is enough: SQLite has one writer at a time, so of two overlapping
 * transactions the second waits at its first write, as long as its connection's busy timeout
 * allows, and then both commit. The first write of a transaction also locks the claim: nobody else
 * claims before it ends.
 */
final class SqliteSequences implements ISequenceStorage<Connection> {
  private static final long RESERVED_IDS = 1 << 20;

  /** Takes the write lock and changes nothing. */
  private static final String LOCK = "DELETE FROM tidemark_sequence WHERE 0";

  private static final String OWNED =
      " AND EXISTS (SELECT 1 FROM tidemark_application WHERE id = ? AND sequences_claim = ?)";

  private static final String RESERVE =
      """
      UPDATE tidemark_application SET next_sequence = next_sequence + ? WHERE id = ?
      RETURNING next_sequence - ?""";
  private static final String OTHER_OWNER =
      """
      SELECT sequences_owner FROM tidemark_application
      WHERE id = ? AND sequences_claim IS NOT ?""";
  private static final String EXISTS = "SELECT 1 FROM tidemark_sequence WHERE app = ? AND id = ?";

  private final Database database;
  private final long app;
  private final byte[] claim;

  /** Ids are taken from a durable reservation, so that a rollback does not make one come again. */
  private long nextId;

  private long idLimit;

  private SqliteSequences(Database database, long app, byte[] claim) {
    this.database = database;
    this.app = app;
    this.claim = claim;
  }

  static SqliteSequences claim(Database database, long app, String owner) {
    byte[] claim = Meta.bytes(UUID.randomUUID());
    SqliteSequences sequences = new SqliteSequences(database, app, claim);
    sequences.reserve(
        "claim of sequences",
        session ->
            session.update(
                "UPDATE tidemark_application SET sequences_claim = ?, sequences_owner = ? WHERE id = ?",
                claim,
                owner,
                app));
    return sequences;
  }

  private synchronized void reserve(String what, Database.Work<Integer> first) {
    long from =
        database.write(
            what,
            session -> {
              first.run(session);
              return session
                  .first(RESERVE, row -> row.getLong(1), RESERVED_IDS, app, RESERVED_IDS)
                  .orElseThrow();
            });
    nextId = from;
    idLimit = from + RESERVED_IDS;
  }

  private synchronized long newId() {
    if (nextId == idLimit) {
      reserve("reserving ids of sequences", unused -> 0);
    }
    return nextId++;
  }

  @Override
  public Class<Connection> transactionType() {
    return Connection.class;
  }

  /** Runs on a connection of its own, which is closed afterwards. */
  @Override
  public void transact(Consumer<Connection> work) {
    database.transact(
        "a transaction of sequences",
        connection -> {
          use(connection, "a transaction", session -> session.update(LOCK));
          work.accept(connection);
        });
  }

  @Override
  public long create(Connection transaction, SequenceDefinition definition) {
    String text = definition.toString();
    requireUsable(transaction, "create");
    long id = newId();
    owned(
        transaction,
        "create",
        id,
        "INSERT INTO tidemark_sequence SELECT ?, ?, ?, 0, 0, 0 WHERE 1",
        app,
        id,
        text);
    return id;
  }

  @Override
  public void alter(Connection transaction, long id, SequenceDefinition definition) {
    requireUsable(transaction, "alter");
    owned(
        transaction,
        "alter",
        id,
        "UPDATE tidemark_sequence SET definition = ? WHERE app = ? AND id = ?",
        definition.toString(),
        app,
        id);
  }

  @Override
  public void drop(Connection transaction, long id) {
    requireUsable(transaction, "drop");
    owned(
        transaction, "drop", id, "DELETE FROM tidemark_sequence WHERE app = ? AND id = ?", app, id);
  }

  @Override
  public void put(Connection transaction, long id, VersionedValue value) {
    if (value.version() < 1) {
      throw new IllegalArgumentException("version must be >= 1, was " + value.version());
    }
    requireUsable(transaction, "put");
    owned(
        transaction,
        "put",
        id,
        """
        UPDATE tidemark_sequence SET version = ?, value = ?, issued = ?
        WHERE app = ? AND id = ? AND version < ?""",
        value.version(),
        value.value(),
        value.issued() ? 1 : 0,
        app,
        id,
        value.version());
  }

  private static void requireUsable(Connection transaction, String what) {
    try {
      if (transaction.isClosed()) {
        throw new IllegalStateException(what + ": the transaction is finished");
      }
      if (transaction.getAutoCommit()) {
        throw new IllegalStateException(
            what + ": the connection is in auto-commit mode; call setAutoCommit(false)");
      }
    } catch (SQLException e) {
      throw SqliteErrorClassifier.notWritten(what, e);
    }
  }

  /** Changes a row under the claim, else says why not; a lower version is no reason. */
  private void owned(
      Connection transaction, String what, long id, String sql, @Nullable Object... arguments) {
    @Nullable Object[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = app;
    all[arguments.length + 1] = claim;
    use(
        transaction,
        what,
        session -> {
          boolean done = false;
          try {
            done = session.update(sql + OWNED, all) > 0;
          } finally {
            if (!done) {
              requireSameFile(session, what);
            }
          }
          if (!done) {
            requireReason(session, what, id);
          }
          return done;
        });
  }

  private void requireReason(Session session, String what, long id) throws SQLException {
    Optional<String> owner = session.first(OTHER_OWNER, row -> row.getString(1), app, claim);
    if (owner.isPresent()) {
      throw new FencedException(
          "%s is fenced: owner '%s' holds the sequences of application '%s'"
              .formatted(what, owner.get(), database.config().application()));
    }
    if (session.first(EXISTS, row -> row.getLong(1), app, id).isEmpty()) {
      throw unknown(id);
    }
  }

  /** A connection to another file cannot carry our transaction. */
  private void requireSameFile(Session session, String what) throws SQLException {
    String file = session.first("PRAGMA database_list", row -> row.getString(3)).orElse("");
    try {
      if (file.isEmpty() || !Files.isSameFile(Path.of(file), database.config().file())) {
        throw new IllegalArgumentException(
            "%s: the connection belongs to '%s', not to '%s'"
                .formatted(what, file, database.config().file()));
      }
    } catch (IOException e) {
      throw new StorageUnavailableException(what + ": the database file cannot be read", e);
    }
  }

  /** Works on the caller's connection and leaves no statement open on it. */
  private static <T> T use(Connection transaction, String what, Database.Work<T> work) {
    Session session = new Session(transaction);
    try {
      try {
        return work.run(session);
      } finally {
        session.closeStatements();
      }
    } catch (SQLException e) {
      throw SqliteErrorClassifier.notWritten(what + " of a sequence", e);
    }
  }

  @Override
  public List<CatalogEntry> catalog() {
    return database.read(
        "reading the catalog of sequences",
        session ->
            session.all(
                "SELECT id, definition FROM tidemark_sequence WHERE app = ? ORDER BY id",
                row -> new CatalogEntry(row.getLong(1), SequenceDefinition.parse(row.getString(2))),
                app));
  }

  /** A sequence that was never put stands before its start. */
  @Override
  public VersionedValue getLatest(long id) {
    return database
        .read(
            "reading a sequence",
            session ->
                session.first(
                    """
                    SELECT version, value, issued, definition FROM tidemark_sequence
                    WHERE app = ? AND id = ?""",
                    row ->
                        row.getLong(1) > 0
                            ? new VersionedValue(row.getLong(1), row.getLong(2), row.getInt(3) != 0)
                            : new VersionedValue(
                                0, SequenceDefinition.parse(row.getString(4)).start(), false),
                    app,
                    id))
        .orElseThrow(() -> unknown(id));
  }

  private UnknownSequenceException unknown(long id) {
    return new UnknownSequenceException(
        "sequence %d is not one of application '%s'"
            .formatted(id, database.config().application()));
  }
}
