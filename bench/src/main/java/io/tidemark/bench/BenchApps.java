package io.tidemark.bench;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageUri;
import java.util.HashMap;
import java.util.Map;

/** Opens applications of the benchmark's own in the storage that was named. */
final class BenchApps {
  private final IStorageDriver driver;
  private final StorageUri uri;

  BenchApps(BenchConfig config) {
    driver = config.driver();
    uri = config.uri();
  }

  /** Creates it with one partition, or opens what an earlier run has left. */
  IAppStorage create(String name, TrustLevel level) {
    // Cassandra's rows are bound to a trust level, so its layout names one.
    boolean bound = uri.scheme().equals("cassandra");
    return driver.open(named(name), bound ? new Layout(1, 0, 0, level) : Layout.of(1));
  }

  /** Opens one that is there. */
  IAppStorage open(String name) {
    return driver.open(named(name), null);
  }

  private StorageUri named(String name) {
    Map<String, String> options = new HashMap<>(uri.options());
    options.put("app", name);
    return new StorageUri(uri.scheme(), uri.location(), options);
  }
}
