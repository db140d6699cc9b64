package io.tidemark.core;

/** Spreads keys over a table; ids that differ only in their high bits must not collide. */
final class Hash {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Hash() {}

  static int mix(long key) {
    long mixed = key * GOLDEN;
    mixed = (mixed ^ mixed >>> 32) * GOLDEN;
    return (int) (mixed >>> 32);
  }
}
