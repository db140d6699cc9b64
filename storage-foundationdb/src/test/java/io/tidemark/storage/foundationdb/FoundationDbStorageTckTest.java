package io.tidemark.storage.foundationdb;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageCapability;
import io.tidemark.tck.RawAccess;
import io.tidemark.tck.StorageTck;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Certifies the storage in full: on the cluster that FDB_CLUSTER_FILE names, or else on the
 * simulated client, and then the certificate is called SIMULATED.
 */
final class FoundationDbStorageTckTest extends StorageTck {
  private static final TestCluster CLUSTER = TestCluster.start();

  @Override
  public IAppStorage open(String application, @Nullable Layout layout) {
    return CLUSTER.open(application, layout);
  }

  @Override
  public Set<StorageCapability> certifies() {
    return Set.of(
        StorageCapability.DURABLE,
        StorageCapability.ATOMIC_COMMIT,
        StorageCapability.FENCING_AT_LEVEL_2,
        StorageCapability.MULTI_PROCESS,
        StorageCapability.TRANSACTIONAL_SEQUENCES,
        StorageCapability.FENCED_SEQUENCES);
  }

  @Override
  public RawAccess raw() {
    return CLUSTER.rows();
  }
}
