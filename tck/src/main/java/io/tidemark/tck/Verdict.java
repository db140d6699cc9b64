package io.tidemark.tck;

/** What became of one check. */
public enum Verdict {
  /** The storage keeps the rule as far as it was tried. */
  PASSED,
  /** The storage breaks the rule. */
  FAILED,
  /** The rule does not bind this storage, or could not be tried; the reason says which. */
  SKIPPED,
  /** Not among the checks that were asked for. */
  NOT_RUN
}
