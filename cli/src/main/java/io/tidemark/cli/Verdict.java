package io.tidemark.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a verification found: violations, and what could not be checked and why. */
final class Verdict {
  /** Violations kept for the report; more are counted. */
  private static final int MOST_KEPT = 1000;

  /**
   * One broken invariant.
   *
   * @param invariant which
   * @param partition where
   * @param key the row at fault
   * @param problem what was expected and what was found
   * @param remedy what to do
   */
  record Violation(String invariant, int partition, String key, String problem, String remedy) {}

  private final List<Violation> violations = new ArrayList<>();
  private final Map<String, String> skipped = new TreeMap<>();
  private long count;
  private long events;
  private long rows;
  private long numbers;

  void add(Violation violation) {
    count++;
    if (violations.size() < MOST_KEPT) {
      violations.add(violation);
    }
  }

  /** Says that an invariant was not checked, or not everywhere. */
  void skip(String invariant, String why) {
    skipped.merge(invariant, why, (one, other) -> one.contains(other) ? one : one + "; " + other);
  }

  void counted(long ofEvents, long ofRows, long ofNumbers) {
    events += ofEvents;
    rows += ofRows;
    numbers += ofNumbers;
  }

  /** Takes over what another verdict says. */
  void addAll(Verdict other) {
    count += other.count;
    other.violations.stream()
        .limit(Math.max(0, MOST_KEPT - violations.size()))
        .forEach(violations::add);
    other.skipped.forEach(this::skip);
    counted(other.events, other.rows, other.numbers);
  }

  /** Takes back what was said of an invariant that could not be judged after all. */
  void withdraw(String invariant) {
    long before = violations.size();
    violations.removeIf(violation -> violation.invariant.equals(invariant));
    count -= before - violations.size();
  }

  boolean isFine() {
    return count == 0;
  }

  long count() {
    return count;
  }

  List<Violation> violations() {
    return violations;
  }

  Map<String, String> skipped() {
    return skipped;
  }

  long events() {
    return events;
  }

  long rows() {
    return rows;
  }

  long numbers() {
    return numbers;
  }
}
