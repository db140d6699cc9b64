package io.tidemark.storage.postgres;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is and how to talk to it.
 *
 * @param host the server's name or address
 * @param port its port; default 5432
 * @param database the database
 * @param user who connects
 * @param password the password, or null where the server asks for none; never shown
 * @param schema the schema of Tidemark's tables; default {@code tidemark}
 * @param poolSize the most connections; default 10
 * @param timeout the longest a statement may take; default 10 seconds. Locks are waited for half as
 *     long. The connection is given up five seconds after a statement's time is over
 * @param tls the driver's options for TLS: any of {@code sslmode}, {@code sslrootcert}, {@code
 *     sslcert}, {@code sslkey}, {@code sslpassword}
 */
public record PostgresStorageConfig(
    String host,
    int port,
    String database,
    String user,
    @Nullable String password,
    String schema,
    int poolSize,
    Duration timeout,
    Map<String, String> tls) {
  /** The schema unless another is named. */
  public static final String DEFAULT_SCHEMA = "tidemark";

  private static final int DEFAULT_PORT = 5432;
  private static final int DEFAULT_POOL_SIZE = 10;
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  /** Refuses what the driver would guess about. */
  public PostgresStorageConfig {
    Names.requireHost(host);
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("port must be 1..65535, was " + port);
    }
    Names.requireNotBlank("database", database);
    Names.requireNotBlank("user", user);
    Names.requireSchema(schema);
    if (poolSize < 1) {
      throw new IllegalArgumentException("poolSize must be >= 1, was " + poolSize);
    }
    requireTimeout(timeout);
    tls = Map.copyOf(tls);
    for (String option : tls.keySet()) {
      Names.requireTlsOption(option);
    }
  }

  private static void requireTimeout(Duration timeout) {
    if (timeout.compareTo(Duration.ofSeconds(1)) < 0
        || timeout.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("timeout must be 1 second to 1 hour, was " + timeout);
    }
  }

  /** A builder that holds the defaults. */
  public static Builder builder(String host, String database, String user) {
    return new Builder(host, database, user);
  }

  /** Everything but the password. */
  @Override
  public String toString() {
    return "PostgresStorageConfig[%s@%s:%d/%s, schema=%s, poolSize=%d, timeout=%s, tls=%s]"
        .formatted(user, host, port, database, schema, poolSize, timeout, tls.keySet());
  }

  /** Collects the parts; {@link #build} checks them. */
  public static final class Builder {
    private final String host;
    private final String database;
    private final String user;
    private int port = DEFAULT_PORT;
    private @Nullable String password;
    private String schema = DEFAULT_SCHEMA;
    private int poolSize = DEFAULT_POOL_SIZE;
    private Duration timeout = DEFAULT_TIMEOUT;
    private Map<String, String> tls = Map.of();

    private Builder(String host, String database, String user) {
      this.host = requireNonNull(host, "host");
      this.database = requireNonNull(database, "database");
      this.user = requireNonNull(user, "user");
    }

    /** Sets the port. */
    public Builder port(int value) {
      port = value;
      return this;
    }

    /** Sets the password. */
    public Builder password(@Nullable String value) {
      password = value;
      return this;
    }

    /** Sets the schema. */
    public Builder schema(String value) {
      schema = value;
      return this;
    }

    /** Sets the most connections. */
    public Builder poolSize(int value) {
      poolSize = value;
      return this;
    }

    /** Sets the longest a statement may take. */
    public Builder timeout(Duration value) {
      timeout = value;
      return this;
    }

    /** Sets the options for TLS. */
    public Builder tls(Map<String, String> value) {
      tls = Map.copyOf(value);
      return this;
    }

    /** Checks and answers the configuration. */
    public PostgresStorageConfig build() {
      return new PostgresStorageConfig(
          host, port, database, user, password, schema, poolSize, timeout, tls);
    }
  }
}
