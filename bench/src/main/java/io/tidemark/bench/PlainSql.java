package io.tidemark.bench;

import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.StorageUri;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Plain inserts by JDBC, on one connection. */
final class PlainSql implements PlainStore {
  private static final Pattern POSTGRES =
      Pattern.compile("//(?:([^:@/]*)(?::([^@/]*))?@)?([^/?]+)/([^?]+)");

  private final Connecting connecting;
  private final Connection connection;
  private final PreparedStatement insert;
  private final byte[] payload = new byte[PAYLOAD];
  private long id = System.nanoTime();

  private PlainSql(Connecting connecting, String bytes) {
    this.connecting = connecting;
    try {
      connection = connecting.connect();
    } catch (SQLException e) {
      throw new StorageUnavailableException("a plain connection was refused", e);
    }
    try (Statement create = connection.createStatement()) {
      String columns = " (id BIGINT PRIMARY KEY, data " + bytes + " NOT NULL)";
      create.execute("CREATE TABLE IF NOT EXISTS tidemark_bench" + columns);
      create.execute("CREATE TABLE IF NOT EXISTS tidemark_bench_tail" + columns);
      insert = connection.prepareStatement("INSERT INTO tidemark_bench VALUES (?, ?)");
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** Opens a connection. */
  @FunctionalInterface
  private interface Connecting {
    Connection connect() throws SQLException;
  }

  static PlainSql sqlite(StorageUri uri) {
    return new PlainSql(
        () -> {
          Connection connection = DriverManager.getConnection("jdbc:sqlite:" + uri.location());
          try (Statement settings = connection.createStatement()) { // as storage-sqlite has them
            settings.execute("PRAGMA journal_mode = WAL");
            settings.execute("PRAGMA synchronous = FULL");
            settings.execute("PRAGMA busy_timeout = 5000");
          }
          return connection;
        },
        "BLOB");
  }

  static PlainSql postgres(StorageUri uri) {
    Matcher parts = POSTGRES.matcher(uri.location());
    if (!parts.matches()) { // not shown: it may hold a password
      throw new IllegalArgumentException(
          "a PostgreSQL URI is postgres://user:password@host:port/database");
    }
    Properties login = new Properties();
    set(login, "user", parts.group(1));
    set(login, "password", parts.group(2));
    uri.options()
        .forEach(
            (name, value) -> {
              if (name.startsWith("ssl")) {
                login.setProperty(name, value);
              }
            });
    String url = "jdbc:postgresql://" + parts.group(3) + "/" + parts.group(4);
    return new PlainSql(() -> DriverManager.getConnection(url, login), "BYTEA");
  }

  private static void set(Properties login, String name, @Nullable String value) {
    if (value != null) { // a plus is a plus here
      login.setProperty(name, URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8));
    }
  }

  @Override
  public long single(int rows, Histogram latencies) {
    try {
      connection.setAutoCommit(true);
      long started = System.nanoTime();
      for (int i = 0; i < rows; i++) {
        long before = System.nanoTime();
        bind(insert, id++, payload);
        insert.executeUpdate();
        latencies.recordValue(System.nanoTime() - before);
      }
      return System.nanoTime() - started;
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public long grouped(int rows, int group) {
    try {
      connection.setAutoCommit(false);
      long started = System.nanoTime();
      for (int i = 0; i < rows; i++) {
        bind(insert, id++, payload);
        insert.addBatch();
        if ((i + 1) % group == 0 || i + 1 == rows) {
          insert.executeBatch();
          connection.commit();
        }
      }
      return System.nanoTime() - started;
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public void keep(List<byte[]> rows) {
    try (Statement empty = connection.createStatement();
        PreparedStatement keep =
            connection.prepareStatement("INSERT INTO tidemark_bench_tail VALUES (?, ?)")) {
      connection.setAutoCommit(false);
      empty.execute("DELETE FROM tidemark_bench_tail");
      for (int i = 0; i < rows.size(); i++) {
        bind(keep, i, rows.get(i));
        keep.addBatch();
      }
      keep.executeBatch();
      connection.commit();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public long connectAndRead() {
    long started = System.nanoTime();
    long took;
    try (Connection other = connecting.connect();
        Statement select = other.createStatement();
        ResultSet rows =
            select.executeQuery("SELECT id, data FROM tidemark_bench_tail ORDER BY id")) {
      long bytes = 0;
      while (rows.next()) {
        bytes += rows.getBytes(2).length;
      }
      took = System.nanoTime() - started;
      if (bytes == 0) {
        throw new IllegalStateException("no row was kept");
      }
    } catch (SQLException e) {
      throw failed(e);
    }
    return took;
  }

  private static void bind(PreparedStatement statement, long key, byte[] data) throws SQLException {
    statement.setLong(1, key);
    statement.setBytes(2, data);
  }

  private static IllegalStateException failed(SQLException e) {
    return new IllegalStateException("plain rows: " + e.getMessage(), e);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw failed(e);
    }
  }
}
