package io.tidemark.cli;

import com.google.gson.JsonParser;
import io.tidemark.spi.StorageUri;
import io.tidemark.tck.CertificationReport;
import io.tidemark.tck.CheckResult;
import io.tidemark.tck.TckRunner;
import io.tidemark.tck.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the conformance kit over a storage. */
@Command(
    name = "tck",
    description = {
      "Checks a storage rule by rule (docs/spec.md): properties, races and the real engine under "
          + "injected faults. Works in applications of its own, named tck…, and leaves them there.",
      "Rules about damaged rows need a test class that can write behind the storage's back (see "
          + "docs/guide-write-a-storage.md); here they are skipped, so the answer is at best \"not "
          + "fully checked, nothing broken\". Exit code 1: a rule was broken."
    },
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class TckCommand implements Callable<Integer> {
  private static final Logger ENGINE = Logger.getLogger("io.tidemark");
  private static final Logger KIT = Logger.getLogger("net.jqwik");

  @Mixin private Storages storages;
  @Mixin private Output output;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Write tck.html and tck.json into this folder.")
  private @Nullable Path report;

  @Option(
      names = "--rule",
      paramLabel = "ID",
      description = "Check this rule alone, such as S-8; may be given several times.")
  private Set<String> rules = new LinkedHashSet<>();

  @Option(names = "--seed", paramLabel = "S", description = "Replay this seed.")
  private @Nullable Long seed;

  @Option(
      names = "--tries",
      paramLabel = "N",
      description = "How many examples each property is tried with.")
  private @Nullable Integer tries;

  TckCommand() {}

  @Override
  public Integer call() throws IOException {
    ENGINE.setLevel(Level.OFF); // its complaints about injected faults would drown the answer
    KIT.setLevel(Level.OFF);
    StorageUri uri = storages.uri();
    TckRunner runner = TckRunner.of(Storages.driver(uri), uri).rules(rules);
    if (seed != null) {
      runner.seed(seed);
    }
    if (tries != null) {
      runner.tries(tries);
    }
    CertificationReport found;
    try (Progress progress = output.progress("checks", 0)) {
      found = runner.progress((result, done, total) -> progress.at(done, total)).run();
    }
    if (report != null) {
      found.writeTo(report);
    }
    output.document(JsonParser.parseString(found.toJson()));
    Table table = new Table("rule", "verdict");
    found.rules().entrySet().stream()
        .filter(rule -> rule.getValue() != Verdict.NOT_RUN)
        .forEach(rule -> table.row(rule.getKey(), rule.getValue()));
    output.say("%s", table);
    found.missing().stream()
        .filter(result -> result.verdict() == Verdict.FAILED)
        .forEach(this::show);
    output.say("%s", found.summary());
    if (report != null) {
      output.say("The report is in %s", report.resolve("tck.html"));
    }
    return found.count(Verdict.FAILED) == 0 ? 0 : Failures.PROBLEM;
  }

  private void show(CheckResult result) {
    output.say(
        "%n%s %s %s%n%s%nAgain: tidemark tck --storage URI --rule %s%s",
        output.bad("BROKEN"),
        String.join(", ", result.rules()),
        result.name(),
        result.message().indent(4).stripTrailing(),
        result.rules().get(0),
        result.seed().isEmpty() ? "" : " --seed " + result.seed());
  }
}
