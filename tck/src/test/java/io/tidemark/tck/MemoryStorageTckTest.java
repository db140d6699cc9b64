package io.tidemark.tck;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageCapability;
import io.tidemark.storage.memory.MemoryStore;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reference storage, certified. */
final class MemoryStorageTckTest extends StorageTck {
  private static final MemoryStore STORE = new MemoryStore();

  @Override
  public IAppStorage open(String application, @Nullable Layout layout) {
    return STORE.open(application, layout);
  }

  @Override
  public Set<StorageCapability> certifies() {
    return Set.of(
        StorageCapability.ATOMIC_COMMIT,
        StorageCapability.FENCING_AT_LEVEL_2,
        StorageCapability.TRANSACTIONAL_SEQUENCES,
        StorageCapability.FENCED_SEQUENCES);
  }

  @Override
  public RawAccess raw() {
    return new MemoryRawAccess(STORE);
  }
}
