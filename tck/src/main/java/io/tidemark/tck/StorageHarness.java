package io.tidemark.tck;

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

  /** Damages what is stored, behind the storage's back. */
  RawAccess raw();
}
