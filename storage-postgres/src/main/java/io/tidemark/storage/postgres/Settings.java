package io.tidemark.storage.postgres;

import io.tidemark.api.StorageUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.postgresql.core.BaseConnection;
import org.postgresql.jdbc.PreferQueryMode;

/** Refuses a connection whose settings would let the storage break its promises. */
final class Settings {
  private static final Logger LOGGER = System.getLogger(Settings.class.getName());
  private static final int OLDEST_SERVER = 15;
  private static final Set<String> DURABLE_COMMIT = Set.of("on", "remote_apply");
  private static final String QUERY =
      "SELECT current_setting('server_version_num')::integer / 10000,"
          + " current_setting('synchronous_commit'),"
          + " current_setting('transaction_isolation'),"
          + " current_setting('fsync'),"
          + " pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean";

  private Settings() {}

  static void requireSafe(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      throw refused("autoCommit is off", "let the DataSource hand out connections with it on");
    }
    if (connection.isWrapperFor(BaseConnection.class)) {
      requireSafeDriver(connection.unwrap(BaseConnection.class));
    }
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(QUERY)) {
      found.next();
      requireSafeServer(found);
    }
  }

  private static void requireSafeDriver(BaseConnection connection) {
    if (connection.getQueryExecutor().isReWriteBatchedInsertsEnabled()) {
      throw refused("reWriteBatchedInserts is on", "it hides conflicts: leave it out");
    }
    PreferQueryMode mode = connection.getPreferQueryMode();
    if (mode == PreferQueryMode.SIMPLE) {
      throw refused("preferQueryMode is simple", "leave it out, so that the server prepares");
    }
  }

  private static void requireSafeServer(ResultSet found) throws SQLException {
    if (found.getInt(1) < OLDEST_SERVER) {
      throw refused("the server's version is " + found.getInt(1), "use 15 or newer");
    }
    String commit = found.getString(2);
    if (!DURABLE_COMMIT.contains(commit)) {
      throw refused(
          "synchronous_commit is " + commit, "an acknowledged write could be lost: set it to on");
    }
    if (!found.getString(3).equals("read committed")) {
      throw refused(
          "the isolation level is " + found.getString(3),
          "set default_transaction_isolation to 'read committed' for this user");
    }
    if (found.getBoolean(5)) {
      throw new StorageUnavailableException(
          "the server is read-only or a standby; connect to the primary");
    }
    if (found.getString(4).equals("off")) {
      LOGGER.log(
          Level.WARNING,
          "the server runs with fsync=off: a power cut can lose what was acknowledged");
    }
  }

  private static IllegalArgumentException refused(String what, String remedy) {
    return new IllegalArgumentException("refused to open: " + what + "; " + remedy);
  }
}
