package io.tidemark.storage.postgres;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.HandleConsumer;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements and sorts their failures.
 *
 * <p>Every write is one statement in autocommit: no lock is held while a client could be paused
 * between two statements, and the reply to the statement is the reply to its commit.
 *
 * <p>What runs once per command, opening or claim takes a plain connection; what runs less often
 * goes through Jdbi, whose handles and named parameters took 70 microseconds of CPU per statement
 * where the plain connection took 25.
 */
final class Database implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger(Database.class.getName());

  private final DataSource source;
  private final Jdbi jdbi;
  private final String schema;
  private final @Nullable AutoCloseable owned;
  private volatile boolean closed;

  /**
   * A database.
   *
   * @param owned closed with this object, or null where the caller owns the data source
   */
  Database(DataSource source, String schema, @Nullable AutoCloseable owned) {
    this.source = source;
    this.schema = schema;
    this.owned = owned;
    jdbi = Jdbi.create(source);
  }

  /** Work on a connection of the pool, in autocommit. */
  interface Work<T extends @Nullable Object> {
    T run(Connection connection) throws SQLException;
  }

  /** A statement's parameters. */
  interface Binding {
    void bind(Binder binder) throws SQLException;
  }

  /** Reads one row. */
  interface Row<T extends @Nullable Object> {
    T read(ResultSet rows) throws SQLException;
  }

  /** A statement's text, with {@code $.} standing for the schema. */
  String sql(String text) {
    return text.replace("$.", "\"" + schema + "\".");
  }

  String schema() {
    return schema;
  }

  <T extends @Nullable Object> T read(String what, Work<T> work) {
    return run(what, Phase.READ, work);
  }

  /** All rows of a query. */
  <T> List<T> query(String what, String text, Binding binding, Row<T> row) {
    return read(
        what,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql(text))) {
            binding.bind(new Binder(statement));
            try (ResultSet rows = statement.executeQuery()) {
              List<T> all = new ArrayList<>();
              while (rows.next()) {
                all.add(row.read(rows));
              }
              return all;
            }
          }
        });
  }

  <T extends @Nullable Object> T write(String what, Work<T> work) {
    return run(what, Phase.WRITE, work);
  }

  <T extends @Nullable Object> T run(String what, Phase phase, Work<T> work) {
    Connection connection = connect(what);
    try {
      return work.run(connection);
    } catch (SQLException e) {
      throw PostgresErrorClassifier.classify(what, e, phase);
    } finally {
      release(connection);
    }
  }

  /** Runs one statement that writes, or several that read. */
  <T extends @Nullable Object> T handle(
      String what, Phase phase, HandleCallback<T, RuntimeException> work) {
    requireOpen();
    try {
      return jdbi.withHandle(work);
    } catch (JdbiException e) {
      throw classify(what, e, phase);
    }
  }

  /** Runs several statements that write together; only for what no owner waits for. */
  void transaction(String what, HandleConsumer<RuntimeException> work) {
    handle(
        what,
        Phase.IN_TRANSACTION,
        handle -> {
          handle.begin();
          work.useHandle(handle);
          try {
            handle.commit();
          } catch (JdbiException e) {
            throw classify(what, e, Phase.COMMIT);
          }
          return null;
        });
  }

  static StorageException classify(String what, JdbiException failure, Phase phase) {
    Phase reached = failure instanceof ConnectionException ? Phase.CONNECT : phase;
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return PostgresErrorClassifier.classify(what, sql, reached);
      }
    }
    throw failure;
  }

  Connection connect(String what) {
    requireOpen();
    try {
      return source.getConnection();
    } catch (SQLException e) {
      throw PostgresErrorClassifier.classify(what, e, Phase.CONNECT);
    }
  }

  /** Never fails: the statement's outcome is known by now, and a close cannot change it. */
  static void release(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      LOGGER.log(Level.DEBUG, "a connection could not be closed", e);
    }
  }

  /**
   * Takes a warning after a write for what it may be: a commit whose replication was not waited
   * for. Settling, which commits again, decides.
   */
  static void requireNoWarning(String what, Statement statement) throws SQLException {
    SQLWarning warning = statement.getWarnings();
    if (warning != null) {
      throw new OutcomeUnknownException(what + " was answered with a warning", warning);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the storage in schema '" + schema + "' is closed");
    }
  }

  @Override
  public void close() {
    closed = true;
    if (owned != null) {
      try {
        owned.close();
      } catch (Exception e) {
        throw new StorageUnavailableException("the connections could not be closed", e);
      }
    }
  }
}
