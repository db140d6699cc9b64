package io.tidemark.testservers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.stream.Stream;

/**
 * Where a shared PostgreSQL for tests listens: in a container where there is an engine, else the
 * process of {@link PostgresServer}.
 *
 * @param user a superuser
 */
public record PostgresAddress(String host, int port, String user, String password) {

  /** The shared server of this major version, started on first use. */
  public static PostgresAddress shared(int version) {
    if (hasContainerEngine()) {
      return PostgresContainers.shared(version);
    }
    return new PostgresAddress(
        "127.0.0.1", PostgresServer.shared(version).port(), "postgres", "unused");
  }

  /**
   * Looks without loading Testcontainers, which takes a second and an error in the log to say no. A
   * {@code docker} command proves nothing.
   */
  private static boolean hasContainerEngine() {
    String home = System.getProperty("user.home");
    return System.getenv("DOCKER_HOST") != null
        || Stream.of(
                Path.of("/var/run/docker.sock"),
                Path.of(home, ".docker/run/docker.sock"),
                Path.of(home, ".testcontainers.properties"))
            .anyMatch(Files::isReadable);
  }

  /** A connection to the database {@code postgres}. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://" + host + ":" + port + "/postgres", user, password);
  }
}
