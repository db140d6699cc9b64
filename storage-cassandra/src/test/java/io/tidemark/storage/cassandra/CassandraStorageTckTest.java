package io.tidemark.storage.cassandra;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageCapability;
import io.tidemark.tck.RawAccess;
import io.tidemark.tck.StorageTck;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The kit on a real node, with log buckets so small that nearly every rule crosses one. */
final class CassandraStorageTckTest extends StorageTck {
  private static final int BUCKET_EVENTS = 5;

  @Override
  public IAppStorage open(String application, @Nullable Layout layout) {
    return CassandraStorageDriver.open(Fixture.session(), Fixture.config(), application, layout);
  }

  @Override
  public Layout layout(int partitions, TrustLevel level) {
    return new Layout(partitions, BUCKET_EVENTS, 3, level);
  }

  @Override
  public Set<StorageCapability> certifies() {
    return Set.of(StorageCapability.DURABLE, StorageCapability.MULTI_PROCESS);
  }

  @Override
  public RawAccess raw() {
    return new CassandraRawAccess(Fixture.session(), Fixture.KEYSPACE);
  }
}
