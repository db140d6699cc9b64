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

/** The oldest server we support, certified with few tries of each rule. */
final class Postgres15StorageTckTest extends StorageTck {
  private static final int QUICK = 3;
  private static final PostgresAddress SERVER = PostgresAddress.shared(15);

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

  @Override
  public int tries() {
    return QUICK;
  }
}
