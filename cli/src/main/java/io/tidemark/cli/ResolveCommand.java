package io.tidemark.cli;

import io.tidemark.api.TrustLevel;
import io.tidemark.pipeline.AppPartitions;
import io.tidemark.pipeline.Resolution;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.PartitionFailure;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lets a failed partition be served again. */
@Command(
    name = "resolve",
    description = {
      "Lets a partition that has FAILED be served again, after you have looked at the row that "
          + "'tidemark inspect' names.",
      "Claims the partition. Deploy it again afterwards."
    },
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class ResolveCommand implements Callable<Integer> {
  @Mixin private Storages storages;
  @Mixin private Output output;

  @Option(
      names = "--partition",
      required = true,
      paramLabel = "P",
      description = "The failed partition.")
  private int partition;

  @ArgGroup(multiplicity = "1")
  private How how;

  @Option(
      names = "--trust-level",
      paramLabel = "L",
      description = "0, 1 or 2, as it is deployed (default: the setting 'trust-level').")
  private @Nullable Integer trustLevel;

  ResolveCommand() {}

  /** What was decided. */
  static final class How {
    private Resolution chosen = Resolution.RETRY;

    How() {}

    @Option(
        names = "--retry",
        description = "The foreign row is gone: go on where the partition stopped.")
    void retry(boolean asked) {
      chosen = asked ? Resolution.RETRY : chosen;
    }

    @Option(
        names = "--skip",
        description =
            "The foreign row stays: take the logged event out of application (its numbers count), "
                + "or, if nothing was logged, pass over the occupied number.")
    void skip(boolean asked) {
      chosen = asked ? Resolution.SKIP : chosen;
    }
  }

  @Override
  public Integer call() {
    TrustLevel level = TrustLevel.of(Settings.trustLevel(trustLevel));
    try (IAppStorage app = storages.open()) {
      app.layout().requirePartition(partition);
      PartitionFailure failure = app.reader(partition).info().failure();
      if (failure == null) {
        throw new IllegalArgumentException(
            "partition " + partition + " has not failed: there is nothing to resolve");
      }
      AppPartitions.resolve(app, partition, level, "tidemark resolve " + Owners.here(), how.chosen);
      output.document(
          Map.of("partition", partition, "resolved", failure.key(), "how", how.chosen.name()));
      output.say(
          "partition %d: the failure at %s is resolved; deploy the partition again",
          partition, failure.key());
      return 0;
    }
  }
}
