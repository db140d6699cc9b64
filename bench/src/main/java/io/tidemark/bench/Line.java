package io.tidemark.bench;

import java.util.Locale;

/**
 * One figure and what it is held against.
 *
 * @param what what was measured
 * @param value the figure: a ratio to its baseline of the same run, or a count
 * @param low its lower end, by the spread of the samples
 * @param high its upper end
 * @param unit what the figure counts, such as {@code x (a)}
 * @param atMost whether the target is an upper bound
 * @param target the target
 */
public record Line(
    String what,
    double value,
    double low,
    double high,
    String unit,
    boolean atMost,
    double target) {

  /** What the figure says of the target. */
  public enum Verdict {
    /** Met, over the whole spread. */
    PASS,
    /** Missed, over the whole spread. */
    SHORT,
    /** The spread is too wide to tell. */
    UNSURE
  }

  /** A figure without spread: a count. */
  static Line count(String what, double value, String unit, double atMost) {
    return new Line(what, value, value, value, unit, true, atMost);
  }

  /** A figure that must not be larger. */
  static Line atMost(String what, Samples measured, Samples baseline, String unit, double target) {
    return ratio(what, measured, baseline, unit, true, target);
  }

  /** A figure that must not be smaller. */
  static Line atLeast(String what, Samples measured, Samples baseline, String unit, double target) {
    return ratio(what, measured, baseline, unit, false, target);
  }

  private static Line ratio(
      String what, Samples measured, Samples baseline, String unit, boolean atMost, double target) {
    return new Line(
        what,
        measured.median() / baseline.median(),
        measured.low() / baseline.high(),
        measured.high() / baseline.low(),
        unit,
        atMost,
        target);
  }

  /** Pass or short; unsure when the target lies within the spread. */
  public Verdict verdict() {
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
    return (atMost ? "<= " : ">= ") + format(target);
  }

  private static String format(double figure) {
    return String.format(Locale.ROOT, figure >= 100 ? "%,.0f" : "%.2f", figure);
  }
}
