package io.tidemark.storage.sqlite;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageUri;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Opens {@code sqlite:path/file.db?app=application}: a database in WAL mode whose every commit is
 * synced before it is acknowledged. Several processes may open one file on one machine; a network
 * file system will not do.
 */
public final class SqliteStorageDriver implements IStorageDriver {
  /** The driver; normally made by {@link java.util.ServiceLoader}. */
  public SqliteStorageDriver() {}

  @Override
  public String scheme() {
    return "sqlite";
  }

  @Override
  public String example() {
    return "sqlite:shop.db?app=orders";
  }

  @Override
  public IAppStorage open(StorageUri uri, @Nullable Layout layout) {
    if (!uri.scheme().equals(scheme())) {
      throw new IllegalArgumentException(
          "the scheme must be " + scheme() + ", was " + uri.scheme());
    }
    return open(SqliteStorageConfig.of(uri), layout);
  }

  /** Opens an application, as {@link #open(StorageUri, Layout)} does. */
  public static IAppStorage open(SqliteStorageConfig config, @Nullable Layout layout) {
    return Schema.open(config, layout);
  }

  /**
   * Connects to the file of an open storage, with the same durability, for the caller's own tables
   * and for the transactions of SQL-like sequences. The caller closes it.
   */
  public static Connection connect(SqliteStorageConfig config) {
    try {
      return Database.connect(config, false);
    } catch (SQLException e) {
      throw SqliteErrorClassifier.notWritten("connecting to " + config.file(), e);
    }
  }

  @Override
  public String schema(StorageUri uri) {
    return Schema.script();
  }
}
