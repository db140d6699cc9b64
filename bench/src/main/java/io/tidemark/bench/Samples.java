package io.tidemark.bench;

import java.util.Arrays;
import java.util.Collection;

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

  static Samples of(Collection<Double> values) {
    return new Samples(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /**
   * One ratio per round: what disturbed the machine in a round disturbed both sides of it, so the
   * spread speaks of the ratio and not of the machine.
   */
  static Samples ratios(double[] measured, double[] baseline) {
    if (measured.length != baseline.length) {
      throw new IllegalArgumentException(
          "each round has both sides, was " + measured.length + " and " + baseline.length);
    }
    double[] ratios = new double[measured.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = measured[i] / baseline[i];
    }
    return new Samples(ratios);
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
