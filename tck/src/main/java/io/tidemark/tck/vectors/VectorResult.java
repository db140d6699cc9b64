package io.tidemark.tck.vectors;

/**
 * What became of one vector.
 *
 * @param name the vector's name
 * @param verdict what became of it
 * @param detail the step that failed with what was expected and what came, or why it does not apply
 */
public record VectorResult(String name, Verdict verdict, String detail) {

  /** What can become of a vector. */
  public enum Verdict {
    /** Every step answered as expected. */
    PASSED,
    /** A step did not. */
    FAILED,
    /** The storage makes no such promise, and says so. */
    NOT_APPLICABLE
  }

  static VectorResult passed(String name) {
    return new VectorResult(name, Verdict.PASSED, "");
  }

  static VectorResult failed(String name, String detail) {
    return new VectorResult(name, Verdict.FAILED, detail);
  }

  static VectorResult notApplicable(String name, String reason) {
    return new VectorResult(name, Verdict.NOT_APPLICABLE, reason);
  }

  @Override
  public String toString() {
    return verdict + " " + name + (detail.isEmpty() ? "" : ": " + detail);
  }
}
