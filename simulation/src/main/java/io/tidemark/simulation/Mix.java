package io.tidemark.simulation;

/** Hashes of 64 bits. */
final class Mix {
  private Mix() {}

  /** A hash of what was hashed before and this; their order counts. */
  static long of(long before, long what) {
    return spread(before * 0x9E3779B97F4A7C15L + what);
  }

  /** Spreads a number over all bits. */
  static long spread(long value) {
    long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
