package io.tidemark.storage.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/** Makes the driver's connections and the pool, with the settings the storage relies on. */
final class Connections {
  private static final Duration GRACE = Duration.ofSeconds(5);

  private Connections() {}

  /** Unpooled connections: what fails there fails at once and with the server's own words. */
  static OpenedSource driver(PostgresStorageConfig config) {
    // Set one by one and not as a URL: a malformed URL falls back to a server on this machine.
    OpenedSource source = new OpenedSource();
    source.setServerNames(new String[] {config.host()});
    source.setPortNumbers(new int[] {config.port()});
    source.setDatabaseName(config.database());
    source.setUser(config.user());
    source.setPassword(config.password());
    source.setApplicationName("tidemark");
    int seconds = (int) config.timeout().toSeconds();
    source.setConnectTimeout(seconds);
    // Without it a server that accepts and then says nothing would hold us for ever.
    source.setLoginTimeout(seconds);
    source.setSocketTimeout((int) config.timeout().plus(GRACE).toSeconds());
    source.setTcpKeepAlive(true);
    // Prepared by the server from the first use on: nothing is parsed twice, and values travel in
    // binary form.
    source.setPrepareThreshold(1);
    source.setOptions(sessionSettings(config.timeout()));
    config.tls().forEach((name, value) -> setTls(source, name, value));
    return source;
  }

  private static String sessionSettings(Duration timeout) {
    long millis = timeout.toMillis();
    StringBuilder options = new StringBuilder();
    Map.of(
            "synchronous_commit",
            "on",
            "default_transaction_isolation",
            "read\\ committed",
            "statement_timeout",
            millis,
            "lock_timeout",
            millis / 2,
            // A client that stops in the middle of its transaction must not hold up a claim.
            "idle_in_transaction_session_timeout",
            millis,
            // A client that died while its statement waits for a lock must not write later.
            "client_connection_check_interval",
            Math.min(millis, 1000),
            // Every statement finds its rows by primary key: one plan serves all values.
            "plan_cache_mode",
            "force_generic_plan")
        .forEach(
            (name, value) ->
                options.append("-c ").append(name).append('=').append(value).append(' '));
    return options.toString().strip();
  }

  private static void setTls(OpenedSource source, String name, String value) {
    try {
      source.setProperty(name, value);
    } catch (SQLException e) {
      throw new IllegalArgumentException("the driver refuses the option " + name, e);
    }
  }

  /**
   * Pooled connections; what {@code driver} has opened is the first. Those that follow are each to
   * a primary: after a switchover a standby would answer old numbers.
   */
  static HikariDataSource pool(OpenedSource driver, PostgresStorageConfig config) {
    driver.setTargetServerType("primary");
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("tidemark-" + config.schema());
    pool.setDataSource(driver);
    pool.setMaximumPoolSize(config.poolSize());
    pool.setMinimumIdle(1);
    pool.setConnectionTimeout(config.timeout().toMillis());
    pool.setInitializationFailTimeout(-1);
    return new HikariDataSource(pool);
  }
}
