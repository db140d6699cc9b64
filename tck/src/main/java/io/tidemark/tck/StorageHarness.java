package io.tidemark.tck;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageCapability;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The storage under test, as its author shows it to the kit. */
public interface StorageHarness {

  /**
   * Opens an application of the storage under test, as its driver would; the same name opens the
   * same data. The kit makes up names, so one server serves the whole run, and closes what it
   * opened.
   */
  IAppStorage open(String application, @Nullable Layout layout);

  /** What the storage promises; must equal what it declares itself. */
  Set<StorageCapability> certifies();

  /** Damages what is stored, behind the storage's back; {@link RawAccess#NONE} if it cannot be. */
  RawAccess raw();

  /**
   * The layout of an application whose rows are written at one trust level. A storage whose rows
   * are bound to a level answers a layout with that level; others need not override this.
   */
  default Layout layout(int partitions, TrustLevel level) {
    return Layout.of(partitions);
  }

  /**
   * How many examples each property is tried with: the system property {@code tidemark.tck.tries},
   * or 20. A rule that is expensive in itself takes fewer.
   */
  default int tries() {
    return Integer.getInteger("tidemark.tck.tries", 20);
  }
}
