package io.tidemark.storage.postgres;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageCapability;
import io.tidemark.tck.RawAccess;
import io.tidemark.tck.StorageTck;
import io.tidemark.testservers.PostgresAddress;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The newest server, certified in full. */
final class PostgresStorageTckTest extends StorageTck {
  private static final PostgresAddress SERVER = PostgresAddress.shared(18);

  @Override
  public IAppStorage open(String application, @Nullable Layout layout) {
    return Fixture.open(SERVER, application, layout);
  }

  @Override
  public Set<StorageCapability> certifies() {
    return EnumSet.allOf(StorageCapability.class);
  }

  @Override
  public RawAccess raw() {
    return new JdbcRawAccess(SERVER);
  }
}
