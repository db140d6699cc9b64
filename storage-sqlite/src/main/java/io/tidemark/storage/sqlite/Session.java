package io.tidemark.storage.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** One connection and its statements, each prepared once. For one thread at a time. */
final class Session implements AutoCloseable {
  private static final int PAGE_ROWS = 256;
  private static final long PAGE_BYTES = 1 << 20;

  /** Reads one row of an answer. */
  interface Row<R> {
    R read(ResultSet row) throws SQLException;
  }

  /** Some rows of an answer; {@code last} if there are no more. */
  record Page<R>(List<R> rows, boolean last) {}

  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  Session(Connection connection) {
    this.connection = connection;
  }

  /** What to do with a statement that has its arguments. */
  private interface Use<T> {
    T of(PreparedStatement statement) throws SQLException;
  }

  /** Runs a statement. The driver closes one that failed, so that one is prepared again. */
  private <T> T run(String sql, Use<T> use, @Nullable Object... arguments) throws SQLException {
    boolean done = false;
    try {
      T answer = use.of(bound(sql, arguments));
      done = true;
      return answer;
    } finally {
      if (!done) {
        forget(sql);
      }
    }
  }

  private PreparedStatement bound(String sql, @Nullable Object... arguments) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    for (int i = 0; i < arguments.length; i++) {
      Object argument = arguments[i];
      if (argument instanceof Long number) {
        statement.setLong(i + 1, number);
      } else if (argument instanceof byte[] bytes) {
        statement.setBytes(i + 1, bytes);
      } else {
        statement.setObject(i + 1, argument);
      }
    }
    return statement;
  }

  private void forget(String sql) throws SQLException {
    PreparedStatement statement = statements.remove(sql);
    if (statement != null) {
      statement.close();
    }
  }

  /** Runs a statement and answers how many rows it changed. */
  int update(String sql, @Nullable Object... arguments) throws SQLException {
    return run(sql, PreparedStatement::executeUpdate, arguments);
  }

  /** The first row of the answer, if there is one. */
  <R> Optional<R> first(String sql, Row<R> row, @Nullable Object... arguments) throws SQLException {
    return run(
        sql,
        statement -> {
          try (ResultSet answer = statement.executeQuery()) {
            return answer.next() ? Optional.of(row.read(answer)) : Optional.empty();
          }
        },
        arguments);
  }

  /** Every row of the answer. */
  <R> List<R> all(String sql, Row<R> row, @Nullable Object... arguments) throws SQLException {
    return page(sql, row, unused -> 0, Integer.MAX_VALUE, arguments).rows();
  }

  /** The first rows of the answer: so many that they fit into memory whatever their size. */
  <R> Page<R> page(String sql, Row<R> row, ToLongFunction<R> size, @Nullable Object... arguments)
      throws SQLException {
    return page(sql, row, size, PAGE_ROWS, arguments);
  }

  private <R> Page<R> page(
      String sql, Row<R> row, ToLongFunction<R> size, int limit, @Nullable Object... arguments)
      throws SQLException {
    return run(
        sql,
        statement -> {
          try (ResultSet answer = statement.executeQuery()) {
            return page(answer, row, size, limit);
          }
        },
        arguments);
  }

  private static <R> Page<R> page(ResultSet answer, Row<R> row, ToLongFunction<R> size, int limit)
      throws SQLException {
    List<R> rows = new ArrayList<>();
    long bytes = 0;
    while (rows.size() < limit && bytes < PAGE_BYTES) {
      if (!answer.next()) {
        return new Page<>(rows, true);
      }
      R read = row.read(answer);
      rows.add(read);
      bytes += size.applyAsLong(read);
    }
    return new Page<>(rows, false);
  }

  /** Ends an open transaction without its changes; does nothing where none is open. */
  void rollback() throws SQLException {
    try {
      update("ROLLBACK");
    } catch (SQLException e) {
      // SQLite has rolled back by itself after some errors: a new transaction proves it.
      update("BEGIN");
      update("ROLLBACK");
    }
  }

  /** Closes the statements and leaves the connection, which is the caller's, as it is. */
  void closeStatements() throws SQLException {
    for (PreparedStatement statement : statements.values()) {
      statement.close();
    }
    statements.clear();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
