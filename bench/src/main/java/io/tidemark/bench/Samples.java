package io.tidemark.bench;

import java.util.Arrays;

/** Repeated measurements of one thing, and how far they spread. */
final class Samples {
  private final double[] sorted;

  Samples(double... values) {
    sorted = values.clone();
    Arrays.sort(sorted);
    if (sorted.length == 0) {
      throw new IllegalArgumentException("there must be at least one sample");
    }
  }

  double median() {
    return quantile(0.5);
  }

  /** A fifth of the samples lie below. */
  double low() {
    return quantile(0.2);
  }

  /** A fifth of the samples lie above. */
  double high() {
    return quantile(0.8);
  }

  private double quantile(double part) {
    double at = part * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }
}
