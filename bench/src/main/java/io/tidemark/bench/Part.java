package io.tidemark.bench;

import java.util.Locale;

/** What can be measured by itself. */
public enum Part {
  /** What a transaction costs, beside look-ups in memory. */
  TRANSACTIONS,
  /** What recovery costs per event. */
  REPLAY,
  /** Storage writes, heap, threads; 10,000 partitions. */
  COUNTS,
  /** How long a start takes on logs of several lengths. */
  START_UP,
  /** The whole pipeline beside plain inserts. */
  STORAGE;

  /** The name as people write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
