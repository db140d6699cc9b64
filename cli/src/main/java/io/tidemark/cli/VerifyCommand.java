package io.tidemark.cli;

import io.tidemark.spi.IAppStorage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads everything stored and checks it against the log. */
@Command(
    name = "verify",
    description = {
      "Reads every log, row and number and checks that they agree: no hole, no number twice, no gap, "
          + "numbers stored at least as far as they must, every event applied, nothing foreign.",
      "Reads only and in bounded memory; an owner may be at work. Exit code 1: something is wrong, "
          + "each with its key and what to do."
    },
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class VerifyCommand implements Callable<Integer> {
  private static final int MOST_SHOWN = 50;

  @Mixin private Storages storages;
  @Mixin private Output output;

  @Option(names = "--partition", paramLabel = "P", description = "Verify this partition alone.")
  private @Nullable Integer partition;

  @Option(
      names = "--entries",
      paramLabel = "N",
      defaultValue = "1000000",
      description =
          "How many numbers and rows to hold in memory at a time; more passes are made where there "
              + "are more (default: ${DEFAULT-VALUE}, about 200 MB).")
  private int entries;

  VerifyCommand() {}

  /** What was found, as shown. */
  record Found(
      String application,
      int partitions,
      long events,
      long rows,
      long numbers,
      long violations,
      Map<String, String> notChecked,
      List<Verdict.Violation> found) {}

  @Override
  public Integer call() {
    if (entries < 1) {
      throw new IllegalArgumentException("--entries must be >= 1, was " + entries);
    }
    try (IAppStorage app = storages.open()) {
      int[] partitions =
          partition != null
              ? new int[] {app.layout().requirePartition(partition)}
              : IntStream.range(0, app.layout().partitions()).toArray();
      Verdict verdict = new Verdict();
      for (int each : partitions) {
        PartitionVerifier verifier =
            new PartitionVerifier(app, each, Implications.PIPELINE, entries);
        try (Progress progress =
            output.progress("partition " + each + ", events", app.reader(each).logEnd())) {
          verdict.addAll(verifier.run(progress::at));
        }
      }
      report(app, partitions.length, verdict);
      return verdict.isFine() ? 0 : Failures.PROBLEM;
    }
  }

  private void report(IAppStorage app, int partitions, Verdict verdict) {
    output.document(
        new Found(
            app.application(),
            partitions,
            verdict.events(),
            verdict.rows(),
            verdict.numbers(),
            verdict.count(),
            verdict.skipped(),
            verdict.violations()));
    output.say(
        "application '%s': %,d partitions, %,d events, %,d rows, %,d numbers read",
        app.application(), partitions, verdict.events(), verdict.rows(), verdict.numbers());
    verdict
        .skipped()
        .forEach((invariant, why) -> output.say("not checked: %s (%s)", invariant, why));
    verdict.violations().stream()
        .limit(MOST_SHOWN)
        .forEach(
            each ->
                output.say(
                    "%s %s, partition %d, %s: %s%n    remedy: %s",
                    output.bad("BROKEN"),
                    each.invariant(),
                    each.partition(),
                    each.key(),
                    each.problem(),
                    each.remedy()));
    if (verdict.count() > MOST_SHOWN) {
      output.say("… and %,d more; --json has up to 1,000", verdict.count() - MOST_SHOWN);
    }
    output.say(
        "%s",
        verdict.isFine()
            ? output.good("whole") + ": I1 to I9, I12, I21 and I22 hold for what is stored"
            : output.bad("%,d violations".formatted(verdict.count())));
  }
}
