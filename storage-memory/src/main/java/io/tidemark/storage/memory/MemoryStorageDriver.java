package io.tidemark.storage.memory;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageUri;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Opens {@code memory:name?app=application}: the name is that of a store that lives as long as this
 * process and is shared by all who name it.
 */
public final class MemoryStorageDriver implements IStorageDriver {
  private static final Map<String, MemoryStore> STORES = new ConcurrentHashMap<>();

  /** The driver; normally made by {@link java.util.ServiceLoader}. */
  public MemoryStorageDriver() {}

  /** The store that URIs with this location open. */
  public static MemoryStore store(String location) {
    return STORES.computeIfAbsent(location, unused -> new MemoryStore());
  }

  @Override
  public String scheme() {
    return "memory";
  }

  @Override
  public String example() {
    return "memory:shop?app=orders";
  }

  @Override
  public IAppStorage open(StorageUri uri, @Nullable Layout layout) {
    if (!uri.scheme().equals(scheme())) {
      throw new IllegalArgumentException(
          "the scheme must be " + scheme() + ", was " + uri.scheme());
    }
    for (String option : uri.options().keySet()) {
      if (!option.equals("app")) {
        throw new IllegalArgumentException(
            "a memory URI knows the option app alone, was '" + option + "'");
      }
    }
    return store(uri.location()).open(uri.application(), layout);
  }
}
