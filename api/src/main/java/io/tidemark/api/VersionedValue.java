package io.tidemark.api;

/**
 * The state of an SQL-like sequence after one draw, {@code set} or {@code restart}.
 *
 * @param version grows by one with each change; 0 = created, never changed
 * @param value the number
 * @param issued whether {@code value} was handed out; if not, it is what the next draw answers
 */
public record VersionedValue(long version, long value, boolean issued) {
  /** Refuses a negative version. */
  public VersionedValue {
    if (version < 0) {
      throw new IllegalArgumentException("version must be >= 0, was " + version);
    }
  }
}
