package io.tidemark.bench;

import java.util.Locale;

/**
 * One figure and what it is held against.
 *
 * @param what what was measured
 * @param value the figure: a median of ratios, each to the baseline of its own round, or a count
 * @param low its lower end: a fifth of the samples lie below
 * @param high its upper end: a fifth of the samples lie above
 * @param unit what the figure counts, such as {@code x (a)}
 * @param atMost whether the target is an upper bound
 * @param target the target; not a number where there is none
 * @param note what was counted, or another figure that belongs to this one; empty for none
 */
public record Line(
    String what,
    double value,
    double low,
    double high,
    String unit,
    boolean atMost,
    double target,
    String note) {

  /** What the figure says of the target. */
  public enum Verdict {
    /** Met, over the whole spread. */
    PASS,
    /** Missed, over the whole spread. */
    SHORT,
    /** The spread is too wide to tell. */
    UNSURE,
    /** There is no target. */
    NONE;

    /** The word for people; empty where there is nothing to say. */
    public String word() {
      return this == NONE ? "" : name().toLowerCase(Locale.ROOT);
    }
  }

  /** A figure that must not be larger. */
  static Line atMost(String what, Samples samples, String unit, double target) {
    return of(what, samples, unit, true, target);
  }

  /** A figure that must not be smaller. */
  static Line atLeast(String what, Samples samples, String unit, double target) {
    return of(what, samples, unit, false, target);
  }

  /** A figure without a target. */
  static Line measured(String what, Samples samples, String unit) {
    return of(what, samples, unit, true, Double.NaN);
  }

  private static Line of(String what, Samples samples, String unit, boolean atMost, double target) {
    return new Line(
        what, samples.median(), samples.low(), samples.high(), unit, atMost, target, "");
  }

  /** The same figure with a note. */
  Line noting(String text) {
    return new Line(what, value, low, high, unit, atMost, target, text);
  }

  /** Whether there is a target. */
  public boolean hasTarget() {
    return !Double.isNaN(target);
  }

  /** Pass or short; unsure when the target lies within the spread. */
  public Verdict verdict() {
    if (!hasTarget()) {
      return Verdict.NONE;
    }
    double best = atMost ? low : high;
    double worst = atMost ? high : low;
    if (meets(worst)) {
      return Verdict.PASS;
    }
    return meets(best) ? Verdict.UNSURE : Verdict.SHORT;
  }

  private boolean meets(double figure) {
    return atMost ? figure <= target : figure >= target;
  }

  /** The figure with its unit. */
  public String shown() {
    return format(value) + " " + unit;
  }

  /** The spread. */
  public String spread() {
    return low == high ? "-" : format(low) + " - " + format(high);
  }

  /** The target with its direction. */
  public String shownTarget() {
    return hasTarget() ? (atMost ? "<= " : ">= ") + format(target) : "-";
  }

  /** Whole numbers as they are, large ones rounded, and never 0 for what is only small. */
  static String format(double figure) {
    double size = Math.abs(figure);
    if (figure == Math.rint(figure) && size < 1e15) {
      return String.format(Locale.ROOT, "%,d", (long) figure);
    }
    String form = size >= 100 ? "%,.0f" : size >= 0.095 ? "%.2f" : size >= 0.001 ? "%.4f" : "%.1e";
    return String.format(Locale.ROOT, form, figure);
  }
}
