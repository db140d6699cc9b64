package io.tidemark.testservers;

import java.util.Map;
import java.util.TreeMap;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * PostgreSQL in containers; its own class, so that nothing of Testcontainers is loaded without an
 * engine. Containers end with this JVM: Testcontainers sees to it.
 */
final class PostgresContainers {
  private static final Map<Integer, PostgresAddress> SHARED = new TreeMap<>();

  private PostgresContainers() {}

  @SuppressWarnings("resource") // lives as long as this JVM
  static synchronized PostgresAddress shared(int version) {
    return SHARED.computeIfAbsent(
        version,
        v -> {
          PostgreSQLContainer container =
              new PostgreSQLContainer("postgres:" + v)
                  .withDatabaseName("postgres")
                  .withUsername("postgres")
                  .withCommand("postgres", "-c", "max_connections=200");
          container.start();
          return new PostgresAddress(
              container.getHost(),
              container.getFirstMappedPort(),
              "postgres",
              container.getPassword());
        });
  }
}
