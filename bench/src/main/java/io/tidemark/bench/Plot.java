package io.tidemark.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Curves over one axis.
 *
 * @param title what is shown
 * @param x the axis to the right
 * @param y the axis upwards
 * @param series the curves; those without points are left out
 */
public record Plot(String title, Axis x, Axis y, List<Series> series) {
  /** Copies. */
  public Plot {
    series = series.stream().filter(curve -> !curve.points().isEmpty()).toList();
  }

  /**
   * An axis.
   *
   * @param label what it counts
   * @param scale how it grows
   */
  public record Axis(String label, Scale scale) {}

  /** How an axis grows. */
  public enum Scale {
    /** From 0, evenly. */
    LINEAR,
    /** By powers of ten. */
    LOG,
    /** Percentiles: each nine takes as much room as the one before. */
    NINES
  }

  /**
   * One curve.
   *
   * @param name its name
   * @param points its points, from left to right
   */
  public record Series(String name, List<Point> points) {
    /** Copies. */
    public Series {
      points = List.copyOf(points);
    }
  }

  /**
   * A figure and its spread.
   *
   * @param x where
   * @param y the figure
   * @param low its lower end
   * @param high its upper end
   */
  public record Point(double x, double y, double low, double high) {
    static Point of(double x, Samples samples) {
      return new Point(x, samples.median(), samples.low(), samples.high());
    }
  }

  /** Collects the points of a curve as they are measured. */
  static final class Curve {
    private final String name;
    private final List<Point> points = new ArrayList<>();

    Curve(String name) {
      this.name = name;
    }

    void add(double x, Samples samples) {
      points.add(Point.of(x, samples));
    }

    Series series() {
      return new Series(name, points);
    }
  }
}
