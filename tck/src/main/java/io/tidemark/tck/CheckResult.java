package io.tidemark.tck;

import java.time.Duration;
import java.util.List;

/**
 * What one method of the kit found.
 *
 * @param chapter the chapter it stands in, such as SeqDataRules
 * @param name the method's name
 * @param rules the rules it checks
 * @param verdict what became of it
 * @param tries how many examples were tried
 * @param duration how long it took
 * @param seed the seed that replays it; empty if there is none
 * @param message why it failed or was skipped; empty if it passed
 */
public record CheckResult(
    String chapter,
    String name,
    List<String> rules,
    Verdict verdict,
    int tries,
    Duration duration,
    String seed,
    String message) {
  /** Copies. */
  public CheckResult {
    rules = List.copyOf(rules);
  }

  /** Whether it was skipped because the storage does not promise what the rule is about. */
  boolean isExcused() {
    return verdict == Verdict.SKIPPED && !message.equals(KitHooks.NEEDS_RAW_ACCESS);
  }
}
