package io.tidemark.core;

/**
 * Spreads keys over a table. The upper half is folded in first, because ids may differ only in
 * their high bits; the product's upper half depends on every bit below it.
 */
final class Hash {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Hash() {}

  static int mix(long key) {
    return (int) (((key ^ key >>> 32) * GOLDEN) >>> 32);
  }
}
