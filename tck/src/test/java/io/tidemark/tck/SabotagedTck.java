package io.tidemark.tck;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageCapability;
import io.tidemark.storage.memory.MemoryStore;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The kit over a memory storage with a saboteur in it; not a test by itself. */
final class SabotagedTck extends StorageTck {
  private static volatile MemoryStore store = new MemoryStore();
  private static volatile Saboteur saboteur = Saboteur.who("nobody");

  static CertificationReport run(Saboteur who, int tries) {
    return run(who, tries, Set.of());
  }

  static CertificationReport run(Saboteur who, int tries, Set<String> rules) {
    store = new MemoryStore();
    saboteur = who;
    return TckRunner.of(SabotagedTck.class).tries(tries).seed(1).rules(rules).run();
  }

  @Override
  public IAppStorage open(String application, @Nullable Layout layout) {
    return new SabotagedApp(saboteur.opener().open(store, application, layout), store, saboteur);
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
    return new MemoryRawAccess(store);
  }
}
