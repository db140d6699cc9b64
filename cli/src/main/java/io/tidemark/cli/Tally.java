package io.tidemark.cli;

/**
 * A sum over rows that does not depend on their order: two tallies are equal when the same rows
 * were counted, so a log of any length is compared in a few bytes per workspace.
 */
final class Tally {
  private long rows;
  private long sum;

  void add(long offset, long plogOffset, byte[] content) {
    rows++;
    sum += hash(offset, plogOffset, content);
  }

  boolean sameAs(Tally other) {
    return rows == other.rows && sum == other.sum;
  }

  static long hash(long offset, long plogOffset, byte[] content) {
    long hash = mix(mix(offset) ^ plogOffset);
    for (byte each : content) {
      hash = (hash ^ each) * 0x100000001b3L;
    }
    return mix(hash ^ content.length);
  }

  /** Spreads a number's bits over all of the answer's. */
  static long mix(long value) {
    long mixed = (value ^ (value >>> 32)) * 0x4cd6944c5cc20b6dL;
    mixed = (mixed ^ (mixed >>> 29)) * 0xfc12c5b19d3259e9L;
    return mixed ^ (mixed >>> 32);
  }
}
