package io.tidemark.bench;

/** One side of a round: chunks of an operation, repeated for a while. */
final class Slice {
  /** Operations in a chunk. Each operation has a chunk's loop of its own, or none is inlined. */
  static final int CHUNK = 1024;

  private Slice() {}

  /** Nanoseconds per operation, over about so many milliseconds. */
  static double nanos(int millis, Runnable chunk) {
    long began = System.nanoTime();
    long end = began + millis * 1_000_000L;
    long chunks = 0;
    long now = began;
    while (now < end) {
      chunk.run();
      chunks++;
      now = System.nanoTime();
    }
    return (double) (now - began) / (chunks * CHUNK);
  }
}
