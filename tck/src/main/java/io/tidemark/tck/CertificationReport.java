package io.tidemark.tck;

import io.tidemark.spi.StorageCapability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the kit found out about one storage. A build asserts {@code report.certified()}.
 *
 * @param storage what was certified, as its author names it
 * @param certificate which certificate was tried for
 * @param started when the run began
 * @param duration how long it took
 * @param capabilities what the storage promises beyond the mandatory rules
 * @param versions of the kit, the JVM and the operating system
 * @param results one per check of the kit, in the kit's order
 */
public record CertificationReport(
    String storage,
    Certificate certificate,
    Instant started,
    Duration duration,
    Set<StorageCapability> capabilities,
    Map<String, String> versions,
    List<CheckResult> results) {

  /** The certificates there are. */
  public enum Certificate {
    /** For an {@link io.tidemark.spi.IAppStorage}: numbers, logs, records, and the engine. */
    FULL,
    /** For an {@link io.tidemark.spi.ISeqStorage} beside somebody's own log. */
    SEQUENCES
  }

  /** Copies. */
  public CertificationReport {
    capabilities = Set.copyOf(capabilities);
    versions = Map.copyOf(versions);
    results = List.copyOf(results);
  }

  /** Whether every rule that binds the storage was tried and none was broken. */
  public boolean certified() {
    return !results.isEmpty()
        && results.stream()
            .allMatch(result -> result.verdict() == Verdict.PASSED || result.isExcused());
  }

  /** Whether nothing was broken, though something was not checked. */
  public boolean partly() {
    return !certified() && count(Verdict.PASSED) > 0 && count(Verdict.FAILED) == 0;
  }

  /** How many checks ended so. */
  public long count(Verdict verdict) {
    return results.stream().filter(result -> result.verdict() == verdict).count();
  }

  /** The checks that stand between the storage and its certificate. */
  public List<CheckResult> missing() {
    return results.stream()
        .filter(result -> result.verdict() != Verdict.PASSED && !result.isExcused())
        .toList();
  }

  /** The verdict on each rule: broken by one check is broken; checked by one is checked. */
  public Map<String, Verdict> rules() {
    Map<String, Verdict> rules = new TreeMap<>(RuleOrder.INSTANCE);
    for (CheckResult result : results) {
      for (String rule : result.rules()) {
        rules.merge(rule, result.verdict(), CertificationReport::worse);
      }
    }
    return rules;
  }

  private static Verdict worse(Verdict one, Verdict other) {
    for (Verdict verdict : List.of(Verdict.FAILED, Verdict.PASSED, Verdict.SKIPPED)) {
      if (one == verdict || other == verdict) {
        return verdict;
      }
    }
    return Verdict.NOT_RUN;
  }

  /** One line for the console. */
  public String summary() {
    String verdict =
        certified()
            ? "CERTIFIED " + certificate
            : partly() ? "NOT FULLY CHECKED, nothing broken" : "NOT CERTIFIED";
    return "%s: %s. %d checks passed, %d failed, %d skipped, %d not run, %.1f s"
        .formatted(
            storage,
            verdict,
            count(Verdict.PASSED),
            count(Verdict.FAILED),
            count(Verdict.SKIPPED),
            count(Verdict.NOT_RUN),
            duration.toMillis() / 1000.0);
  }

  /** The rules that were broken. */
  public Set<String> broken() {
    Set<String> broken = new TreeSet<>(RuleOrder.INSTANCE);
    results.stream()
        .filter(result -> result.verdict() == Verdict.FAILED)
        .forEach(result -> broken.addAll(result.rules()));
    return broken;
  }

  /** The report as JSON. */
  public String toJson() {
    return JsonReport.write(this);
  }

  /** The report as a page of its own, without scripts. */
  public String toHtml() {
    return HtmlReport.write(this);
  }

  /** Writes {@code tck.json} and {@code tck.html} into a folder, creating it. */
  public void writeTo(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("tck.json"), toJson());
    Files.writeString(folder.resolve("tck.html"), toHtml());
  }
}
