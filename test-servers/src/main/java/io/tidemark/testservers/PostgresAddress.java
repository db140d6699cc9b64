package io.tidemark.testservers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * Where a shared PostgreSQL for tests listens: in a container where there is an engine, else the
 * process of {@link PostgresServer}.
 *
 * @param user a superuser
 */
public record PostgresAddress(String host, int port, String user, String password) {

  /** The shared server of this major version, started on first use. */
  public static PostgresAddress shared(int version) {
    if (ContainerEngine.isThere()) {
      return PostgresContainers.shared(version);
    }
    return new PostgresAddress(
        "127.0.0.1", PostgresServer.shared(version).port(), "postgres", "unused");
  }

  /** A connection to the database {@code postgres}. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://" + host + ":" + port + "/postgres", user, password);
  }
}
