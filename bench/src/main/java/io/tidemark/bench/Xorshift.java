package io.tidemark.bench;

/** The random numbers of every workload: xorshift64, always from the same seed. */
final class Xorshift {
  private long state = 88172645463325252L;

  long next() {
    state ^= state << 13;
    state ^= state >>> 7;
    state ^= state << 17;
    return state;
  }

  /** A number in [0, bound): by multiplication, as a division would cost more than a look-up. */
  long below(int bound) {
    return ((next() >>> 32) * bound) >>> 32;
  }
}
