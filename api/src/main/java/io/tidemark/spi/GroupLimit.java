package io.tidemark.spi;

/**
 * What one append may hold.
 *
 * @param events the most events, at least 1
 * @param bytes the most bytes, summed over {@link PLogEvent#size}
 */
public record GroupLimit(int events, long bytes) {
  /** Refuses a limit that lets nothing through. */
  public GroupLimit {
    if (events < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          "a group limit must allow at least 1 event and 1 byte, was " + events + ", " + bytes);
    }
  }
}
