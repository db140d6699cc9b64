package io.tidemark.storage.cassandra;

import static java.util.Objects.requireNonNull;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageUri;
import io.tidemark.spi.UnknownApplicationException;
import org.jspecify.annotations.Nullable;

/**
 * Opens applications on Apache Cassandra: {@code cassandra://host:port,host:port/keyspace} with the
 * options {@code dc} (the local data centre, always), {@code app}, {@code rf} or {@code
 * replication=dc1:3,dc2:3} (for a keyspace that is made), {@code consistency} (quorum or
 * local_quorum), {@code timeout} (such as 10s), {@code create}, {@code tls}, {@code user} and
 * {@code password}.
 *
 * <p>The trust level is part of an application's layout: rows of conditional and of plain writes
 * must not mix. A layout without one means level 0.
 */
public final class CassandraStorageDriver implements IStorageDriver {

  /** The driver; normally made by {@link java.util.ServiceLoader}. */
  public CassandraStorageDriver() {}

  @Override
  public String scheme() {
    return CassandraUri.SCHEME;
  }

  @Override
  public String example() {
    return CassandraUri.EXAMPLE;
  }

  @Override
  public IAppStorage open(StorageUri uri, @Nullable Layout layout) {
    return open(CassandraUri.config(uri), uri.application(), layout);
  }

  /** Opens an application with a session of its own, which closes with it. */
  public static IAppStorage open(
      CassandraStorageConfig config, String application, @Nullable Layout layout) {
    CqlSession session = Sessions.open(config);
    try {
      return open(session, config, application, layout, true);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  /**
   * Opens an application with a session of yours, which stays open; it must have been built with
   * {@link #driverConfig}, else it is refused.
   */
  public static IAppStorage open(
      CqlSession session,
      CassandraStorageConfig config,
      String application,
      @Nullable Layout layout) {
    return open(session, config, application, layout, false);
  }

  /** The driver's configuration for a session that is handed in. */
  public static DriverConfigLoader driverConfig(CassandraStorageConfig config) {
    return Sessions.driverConfig(config);
  }

  private static IAppStorage open(
      CqlSession session,
      CassandraStorageConfig config,
      String application,
      @Nullable Layout layout,
      boolean ownsSession) {
    requireNonNull(application, "application");
    if (application.isBlank()) {
      throw new IllegalArgumentException(
          "application must not be blank, was '" + application + "'");
    }
    Sessions.requireSafe(session);
    WriteSizes sizes = SettingsCheck.requireSafeNodes(session);
    SettingsCheck.requireSafeKeyspace(session, config);
    if (!Schema.exists(session, config)) {
      if (layout == null) {
        throw new UnknownApplicationException(application);
      }
      new SchemaCreation(session, config).run();
      // Another process may have made it, in its own way.
      SettingsCheck.requireSafeKeyspace(session, config);
    }
    Cql cql = new Cql(session, config.consistency());
    Layout stored = new ApplicationTable(cql, config.keyspace()).open(application, layout);
    return new CassandraAppStorage(cql, config.keyspace(), ownsSession, application, stored, sizes);
  }

  @Override
  public String schema(StorageUri uri) {
    return Schema.script(CassandraUri.config(uri));
  }
}
