package io.tidemark.storage.foundationdb;

import static java.util.Objects.requireNonNull;

import com.apple.foundationdb.Database;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageUri;
import org.jspecify.annotations.Nullable;

/**
 * Opens {@code fdb:/path/to/cluster.file?prefix=tm&app=application}, or an application of a cluster
 * that the caller has opened already.
 *
 * <p>All but the last way load FoundationDB's native client library, libfdb_c, which is not part of
 * any Java artifact; where it is missing they say how to install it.
 */
public final class FoundationDbStorageDriver implements IStorageDriver {

  /** The driver; normally made by {@link java.util.ServiceLoader}. */
  public FoundationDbStorageDriver() {}

  @Override
  public String scheme() {
    return "fdb";
  }

  @Override
  public String example() {
    return "fdb:/etc/foundationdb/fdb.cluster?prefix=tm&app=orders";
  }

  @Override
  public IAppStorage open(StorageUri uri, @Nullable Layout layout) {
    if (!uri.scheme().equals(scheme())) {
      throw new IllegalArgumentException(
          "the scheme must be " + scheme() + ", was " + uri.scheme());
    }
    return open(FoundationDbStorageConfig.of(uri), uri.application(), layout);
  }

  /**
   * Opens an application of the cluster the config names.
   *
   * @param layout the layout wanted, or null to adopt the stored one
   */
  public IAppStorage open(
      FoundationDbStorageConfig config, String application, @Nullable Layout layout) {
    Database database = NativeClient.open(config.clusterFile());
    boolean opened = false;
    try {
      IAppStorage storage =
          FoundationDbAppStorage.open(
              database, config, application, layout, System::nanoTime, database::close);
      opened = true;
      return storage;
    } finally {
      if (!opened) {
        database.close();
      }
    }
  }

  /**
   * Opens an application of a cluster that the caller has opened, and closes. The config's cluster
   * file is not looked at.
   *
   * @param layout the layout wanted, or null to adopt the stored one
   */
  public IAppStorage open(
      Database database,
      FoundationDbStorageConfig config,
      String application,
      @Nullable Layout layout) {
    requireNonNull(database, "database");
    return FoundationDbAppStorage.open(
        database, config, application, layout, System::nanoTime, () -> {});
  }
}
