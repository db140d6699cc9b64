package io.tidemark.storage.postgres;

import static java.util.Objects.requireNonNull;

import com.zaxxer.hikari.HikariDataSource;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageUri;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens {@code postgres://user:password@host:port/database?app=application&schema=name}.
 *
 * <p>Opening creates or migrates the schema where needed and allowed, and refuses settings under
 * which an acknowledged write could be lost or a conflict go unnoticed.
 */
public final class PostgresStorageDriver implements IStorageDriver {

  /** The driver; normally made by {@link java.util.ServiceLoader}. */
  public PostgresStorageDriver() {}

  @Override
  public String scheme() {
    return "postgres";
  }

  @Override
  public String example() {
    return "postgres://user:password@localhost:5432/shop?app=orders";
  }

  @Override
  public IAppStorage open(StorageUri uri, @Nullable Layout layout) {
    return open(config(uri), uri.application(), layout);
  }

  private PostgresStorageConfig config(StorageUri uri) {
    if (!uri.scheme().equals(scheme())) {
      throw new IllegalArgumentException(
          "the scheme must be " + scheme() + ", was " + uri.scheme());
    }
    return PostgresUri.parse(uri);
  }

  /** Opens one application, with a pool of connections of its own. */
  public IAppStorage open(
      PostgresStorageConfig config, String application, @Nullable Layout layout) {
    OpenedSource driver = Connections.driver(config);
    try {
      driver.open(); // outside of the pool, which would wait out its patience and then say less
    } catch (SQLException e) {
      throw PostgresErrorClassifier.classify("opening the database", e, Phase.CONNECT);
    }
    HikariDataSource pool = Connections.pool(driver, config);
    return open(new Database(pool, config.schema(), pool), application, layout);
  }

  /**
   * Opens one application over connections of the caller's own; closing the storage leaves them
   * open. They must hand out autocommit, READ COMMITTED and {@code synchronous_commit=on}, which is
   * checked once, here, and connect to a primary only ({@code targetServerType=primary}): a standby
   * answers old numbers. Set their timeouts: the storage waits as long as they do.
   */
  public IAppStorage open(
      DataSource source, String schema, String application, @Nullable Layout layout) {
    requireNonNull(source, "source");
    return open(new Database(source, Names.requireSchema(schema), null), application, layout);
  }

  private static void prepare(Database database) {
    database.run(
        "opening the database",
        Phase.CONNECT,
        connection -> {
          Settings.requireSafe(connection);
          return true;
        });
    Schema.migrate(database);
  }

  private static IAppStorage open(Database database, String application, @Nullable Layout layout) {
    try {
      prepare(database);
      return new PostgresAppStorage(database, Application.open(database, application, layout));
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  @Override
  public String schema(StorageUri uri) {
    return Schema.print(config(uri).schema());
  }
}
