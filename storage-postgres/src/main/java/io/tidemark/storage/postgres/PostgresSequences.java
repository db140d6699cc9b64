package io.tidemark.storage.postgres;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.ISequenceStorage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/**
 * One owner's claim of an application's SQL-like sequences.
 *
 * <p>A value is a row of its own, (id, version): overlapping transactions both commit, and the
 * highest version is read. Every write holds the owner row FOR SHARE until the caller's transaction
 * ends, so that a claim, which updates that row, waits for it.
 */
final class PostgresSequences implements ISequenceStorage<Connection> {
  private static final String OWNED =
      "WITH e AS MATERIALIZED (SELECT app FROM $.sequence_owner"
          + " WHERE app = ? AND epoch = ? AND claim_id = ? FOR SHARE)";
  private static final String CREATE =
      OWNED + " INSERT INTO $.sequence (app, definition) SELECT app, ? FROM e RETURNING id";
  private static final String CHANGED =
      " SELECT (SELECT count(*) FROM e), (SELECT count(*) FROM c)";
  private static final String ALTER =
      OWNED
          + ", c AS (UPDATE $.sequence s SET definition = ? FROM e"
          + " WHERE s.app = e.app AND s.id = ? RETURNING 1)"
          + CHANGED;
  private static final String DROP =
      OWNED
          + ", c AS (DELETE FROM $.sequence s USING e WHERE s.app = e.app AND s.id = ? RETURNING 1),"
          + " v AS (DELETE FROM $.sequence_value v USING e WHERE v.id = ?"
          + " AND EXISTS (SELECT 1 FROM $.sequence s WHERE s.app = e.app AND s.id = v.id))"
          + CHANGED;

  /** An equal version has no effect: no version is put twice. */
  private static final String PUT =
      OWNED
          + ", c AS MATERIALIZED (SELECT s.id FROM $.sequence s, e WHERE s.app = e.app AND s.id = ?),"
          + " v AS (INSERT INTO $.sequence_value (id, version, value, issued)"
          + " SELECT c.id, ?, ?, ? FROM c ON CONFLICT DO NOTHING)"
          + CHANGED;

  private static final String CATALOG =
      "SELECT id, definition FROM $.sequence WHERE app = :app ORDER BY id";
  private static final String LATEST =
      "SELECT s.definition, v.version, v.value, v.issued FROM $.sequence s"
          + " LEFT JOIN LATERAL (SELECT * FROM $.sequence_value v WHERE v.id = s.id"
          + " ORDER BY v.version DESC LIMIT 1) v ON true WHERE s.app = :app AND s.id = :id";
  private static final String PRUNE =
      "DELETE FROM $.sequence_value WHERE id = :id"
          + " AND version < (SELECT max(version) FROM $.sequence_value WHERE id = :id)";

  private final Database database;
  private final Application application;
  private final Epoch claim;

  private PostgresSequences(Database database, Application application, Epoch claim) {
    this.database = database;
    this.application = application;
    this.claim = claim;
  }

  static PostgresSequences claim(Database database, Application application, String owner) {
    return new PostgresSequences(
        database, application, new SequenceClaim(database, application).take(owner));
  }

  @Override
  public Class<Connection> transactionType() {
    return Connection.class;
  }

  @Override
  public void transact(Consumer<Connection> work) {
    Connection connection = database.connect("a transaction of " + this);
    try {
      connection.setAutoCommit(false);
      work.accept(connection);
      commit(connection);
    } catch (SQLException e) {
      throw PostgresErrorClassifier.classify("a transaction of " + this, e, Phase.IN_TRANSACTION);
    } finally {
      end(connection);
    }
  }

  private void commit(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw PostgresErrorClassifier.classify("the commit of " + this, e, Phase.COMMIT);
    }
  }

  private static void end(Connection connection) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      // The connection is broken, and with it its transaction; the pool drops it.
    } finally {
      Database.release(connection);
    }
  }

  @Override
  public long create(Connection transaction, SequenceDefinition definition) {
    requireNonNull(definition, "definition");
    return run(
        transaction,
        "create",
        CREATE,
        binder -> binder.text(definition.toString()),
        rows -> {
          if (!rows.next()) {
            throw fenced("create");
          }
          return rows.getLong(1);
        });
  }

  @Override
  public void alter(Connection transaction, long id, SequenceDefinition definition) {
    requireNonNull(definition, "definition");
    change(transaction, "alter", ALTER, id, b -> b.text(definition.toString()).bigint(id));
  }

  @Override
  public void drop(Connection transaction, long id) {
    change(transaction, "drop", DROP, id, binder -> binder.bigint(id).bigint(id));
  }

  @Override
  public void put(Connection transaction, long id, VersionedValue value) {
    if (value.version() < 1) {
      throw new IllegalArgumentException("version must be >= 1, was " + value.version());
    }
    change(
        transaction,
        "put",
        PUT,
        id,
        b -> b.bigint(id).bigint(value.version()).bigint(value.value()).flag(value.issued()));
  }

  private void change(
      Connection transaction, String what, String text, long id, Database.Binding binding) {
    run(
        transaction,
        what,
        text,
        binding,
        rows -> {
          rows.next();
          if (rows.getLong(1) == 0) {
            throw fenced(what);
          }
          if (rows.getLong(2) == 0) {
            throw unknown(id);
          }
          return true;
        });
  }

  private <T> T run(
      Connection transaction,
      String what,
      String text,
      Database.Binding binding,
      Database.Row<T> answer) {
    requireUsable(transaction, what);
    try (PreparedStatement statement = transaction.prepareStatement(database.sql(text))) {
      Binder binder =
          new Binder(statement)
              .number(application.id())
              .bigint(claim.number())
              .object(claim.claimId());
      binding.bind(binder);
      try (ResultSet rows = statement.executeQuery()) {
        return answer.read(rows);
      }
    } catch (SQLException e) {
      // The caller's commit decides, unless the statement was its own transaction.
      throw PostgresErrorClassifier.classify(
          what + " of " + this, e, isAutoCommit(transaction) ? Phase.WRITE : Phase.IN_TRANSACTION);
    }
  }

  private static boolean isAutoCommit(Connection transaction) {
    try {
      return transaction.getAutoCommit();
    } catch (SQLException e) {
      return true; // nothing can be told of it
    }
  }

  private void requireUsable(Connection transaction, String what) {
    try {
      if (transaction.isClosed()) {
        throw new IllegalStateException(what + ": the transaction is finished");
      }
    } catch (SQLException e) {
      throw PostgresErrorClassifier.classify(what + " of " + this, e, Phase.CONNECT);
    }
  }

  private FencedException fenced(String what) {
    return new FencedException(
        "%s of %s under claim %s is fenced: another owner holds them; claim them again"
            .formatted(what, this, claim));
  }

  private UnknownSequenceException unknown(long id) {
    return new UnknownSequenceException("sequence " + id + " is not one of " + this);
  }

  @Override
  public List<CatalogEntry> catalog() {
    return database.handle(
        "reading " + this,
        Phase.READ,
        handle ->
            handle
                .createQuery(database.sql(CATALOG))
                .bind("app", application.id())
                .map(
                    (row, context) ->
                        new CatalogEntry(
                            row.getLong(1), SequenceDefinition.parse(row.getString(2))))
                .list());
  }

  @Override
  public VersionedValue getLatest(long id) {
    return database
        .handle(
            "reading " + this,
            Phase.READ,
            handle ->
                handle
                    .createQuery(database.sql(LATEST))
                    .bind("app", application.id())
                    .bind("id", id)
                    .map((row, context) -> latest(row))
                    .findOne())
        .orElseThrow(() -> unknown(id));
  }

  /** One that was never put stands before its start. */
  private static VersionedValue latest(ResultSet row) throws SQLException {
    long version = row.getLong("version");
    return row.wasNull()
        ? new VersionedValue(
            0, SequenceDefinition.parse(row.getString("definition")).start(), false)
        : new VersionedValue(version, row.getLong("value"), row.getBoolean("issued"));
  }

  @Override
  public void prune(long id) {
    database.handle(
        "pruning sequence " + id + " of " + this,
        Phase.WRITE,
        handle -> handle.createUpdate(database.sql(PRUNE)).bind("id", id).execute());
  }

  @Override
  public String toString() {
    return "the sequences of application '" + application.name() + "'";
  }
}
