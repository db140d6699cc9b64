package io.tidemark.bench;

import io.tidemark.spi.StorageUri;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/** The baselines (e1) and (e100): rows inserted into a table of our own, on one connection. */
final class PlainInserts implements AutoCloseable {
  private static final Pattern POSTGRES =
      Pattern.compile("//(?:([^:@/]*)(?::([^@/]*))?@)?([^/?]+)/([^?]+)");
  private static final int PAYLOAD = 200;

  private final Connection connection;
  private final PreparedStatement insert;
  private final byte[] payload = new byte[PAYLOAD];
  private long id = System.nanoTime();

  private PlainInserts(Connection connection, String bytes) throws SQLException {
    this.connection = connection;
    try (Statement create = connection.createStatement()) {
      create.execute(
          "CREATE TABLE IF NOT EXISTS tidemark_bench (id BIGINT PRIMARY KEY, data "
              + bytes
              + " NOT NULL)");
    }
    this.insert = connection.prepareStatement("INSERT INTO tidemark_bench VALUES (?, ?)");
  }

  static PlainInserts into(StorageUri uri) throws SQLException {
    if (uri.scheme().equals("sqlite")) {
      Connection connection = DriverManager.getConnection("jdbc:sqlite:" + uri.location());
      try (Statement settings = connection.createStatement()) {
        settings.execute("PRAGMA journal_mode = WAL");
        settings.execute("PRAGMA synchronous = FULL");
        settings.execute("PRAGMA busy_timeout = 5000");
      }
      return new PlainInserts(connection, "BLOB");
    }
    Matcher parts = POSTGRES.matcher(uri.location());
    if (!uri.scheme().equals("postgres") || !parts.matches()) {
      throw new IllegalArgumentException(
          "plain inserts to compare with are known for sqlite: and postgres:, not for '"
              + uri.scheme()
              + "'");
    }
    Properties login = new Properties();
    if (parts.group(1) != null) {
      login.setProperty("user", parts.group(1));
    }
    if (parts.group(2) != null) {
      login.setProperty("password", parts.group(2));
    }
    return new PlainInserts(
        DriverManager.getConnection(
            "jdbc:postgresql://" + parts.group(3) + "/" + parts.group(4), login),
        "BYTEA");
  }

  /** One row, one commit; answers the nanoseconds it all took. */
  long single(int rows, Histogram latencies) throws SQLException {
    connection.setAutoCommit(true);
    long started = System.nanoTime();
    for (int i = 0; i < rows; i++) {
      long before = System.nanoTime();
      next();
      insert.executeUpdate();
      latencies.recordValue(System.nanoTime() - before);
    }
    return System.nanoTime() - started;
  }

  /** A hundred rows, one commit. */
  long grouped(int rows, int group) throws SQLException {
    connection.setAutoCommit(false);
    long started = System.nanoTime();
    for (int i = 0; i < rows; i++) {
      next();
      insert.addBatch();
      if ((i + 1) % group == 0) {
        insert.executeBatch();
        connection.commit();
      }
    }
    connection.commit();
    return System.nanoTime() - started;
  }

  private void next() throws SQLException {
    insert.setLong(1, id++);
    insert.setBytes(2, payload);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
