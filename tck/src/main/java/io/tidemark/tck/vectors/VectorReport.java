package io.tidemark.tck.vectors;

import io.tidemark.tck.vectors.VectorResult.Verdict;
import java.util.List;

/**
 * What became of all vectors, in their order.
 *
 * @param results one per vector
 */
public record VectorReport(List<VectorResult> results) {
  /** Copies. */
  public VectorReport {
    results = List.copyOf(results);
  }

  /** The vectors that passed. */
  public List<VectorResult> passed() {
    return of(Verdict.PASSED);
  }

  /** The vectors that failed, each with what was expected and what came. */
  public List<VectorResult> failed() {
    return of(Verdict.FAILED);
  }

  /** The vectors that do not apply, each with the reason. */
  public List<VectorResult> notApplicable() {
    return of(Verdict.NOT_APPLICABLE);
  }

  private List<VectorResult> of(Verdict verdict) {
    return results.stream().filter(result -> result.verdict() == verdict).toList();
  }

  /** The numbers, as one line. */
  @Override
  public String toString() {
    int others = notApplicable().size();
    return passed().size()
        + " passed, "
        + failed().size()
        + " failed"
        + (others == 0 ? "" : ", " + others + " do not apply");
  }
}
