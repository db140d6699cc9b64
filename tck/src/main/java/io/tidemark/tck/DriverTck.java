package io.tidemark.tck;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageCapability;
import io.tidemark.spi.StorageUri;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The kit over whatever a driver opens; made by jqwik, hence the static target. */
final class DriverTck extends StorageTck {
  private record Target(IStorageDriver driver, StorageUri uri) {}

  private static volatile @Nullable Target target;

  DriverTck() {}

  static void use(IStorageDriver driver, StorageUri uri) {
    target = new Target(driver, uri);
  }

  @Override
  public IAppStorage open(String application, @Nullable Layout layout) {
    Target now = target;
    if (now == null) {
      throw new IllegalStateException("run through TckRunner.of(driver, uri)");
    }
    Map<String, String> options = new HashMap<>(now.uri().options());
    options.put("app", application);
    return now.driver()
        .open(new StorageUri(now.uri().scheme(), now.uri().location(), options), layout);
  }

  /** Nobody restates them here: what the storage declares is what is certified. */
  @Override
  public Set<StorageCapability> certifies() {
    return Scenes.of(this).fresh(this, TrustLevel.LEVEL_0).app().capabilities();
  }

  @Override
  public RawAccess raw() {
    return RawAccess.NONE;
  }
}
