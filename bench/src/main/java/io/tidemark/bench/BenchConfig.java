package io.tidemark.bench;

import static java.util.Objects.requireNonNull;

import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.StorageUri;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What to measure.
 *
 * @param parts the parts to run, in the order of {@link Part}
 * @param quick shorter measurements, with a wider spread
 * @param driver opens the storage that {@link Part#START_UP} and {@link Part#STORAGE} work on
 * @param uri where that storage is; its application is not touched, the runs have their own
 * @param events the longest log a start is measured on; whole thousands
 * @param progress hears what is measured next
 */
public record BenchConfig(
    Set<Part> parts,
    boolean quick,
    IStorageDriver driver,
    StorageUri uri,
    long events,
    Consumer<String> progress) {
  /** The fewest events a start can be measured on: the tail, and as many before it. */
  private static final long LEAST_EVENTS = 2L * StoredLog.TAIL;

  /** Copies, and refuses what cannot be measured. */
  public BenchConfig {
    parts = Set.copyOf(parts);
    requireNonNull(driver, "driver");
    requireNonNull(uri, "uri");
    requireNonNull(progress, "progress");
    if (events < LEAST_EVENTS || events % StoredLog.TAIL != 0) {
      throw new IllegalArgumentException(
          "events must be whole thousands, >= " + LEAST_EVENTS + ", was " + events);
    }
  }
}
