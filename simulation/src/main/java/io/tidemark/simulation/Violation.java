package io.tidemark.simulation;

/** An invariant was broken. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Which invariant. */
  private final String invariant;

  /** Names the invariant, such as I5, and what was found. */
  public Violation(String invariant, String found) {
    super(invariant + ": " + found);
    this.invariant = invariant;
  }

  /** The invariant's number in {@code docs/spec.md}. */
  public String invariant() {
    return invariant;
  }
}
