package io.tidemark.cli;

import io.tidemark.api.SequencerListener;
import io.tidemark.api.StorageException;
import io.tidemark.api.TrustLevel;
import io.tidemark.pipeline.AppPartitions;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.StorageCapability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lets real processes fight over the same partitions, and looks for what they broke. */
@Command(
    name = "torture",
    description = {
      "Starts worker processes that claim the same partitions in turn, kills (-9), pauses and "
          + "resumes them at random, and keeps every answer they gave outside the storage. Then "
          + "verifies: nothing answered is lost, nothing was given twice, no hole, no gap.",
      "You may restart the database server meanwhile. Exit code 1: something broke."
    },
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class TortureCommand implements Callable<Integer> {
  private static final Logger ENGINE = Logger.getLogger("io.tidemark");
  private static final Duration REACHABLE = Duration.ofSeconds(60);
  private static final int LONGEST_PAUSE_MILLIS = 700;

  @Mixin private Storages storages;
  @Mixin private Output output;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "3",
      description = "How many processes compete (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--duration",
      paramLabel = "D",
      defaultValue = "30s",
      description = "How long, such as 25s or 5m (default: ${DEFAULT-VALUE}).")
  private Duration duration;

  @Option(
      names = "--partitions",
      paramLabel = "P",
      defaultValue = "2",
      description = "Partitions of a new application (default: ${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--trust-level",
      paramLabel = "L",
      description = "0, 1 or 2 (default: the setting 'trust-level').")
  private @Nullable Integer trustLevel;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Decides what is killed and paused when; the processes' races stay their own.")
  private @Nullable Long seed;

  private final Acknowledged acknowledged = new Acknowledged();
  private final AtomicLong unknown = new AtomicLong();
  private final AtomicLong takeovers = new AtomicLong();
  private final AtomicLong troubles = new AtomicLong();
  private long kills;
  private long pauses;
  private int born;

  TortureCommand() {}

  /** What happened, as shown. */
  record Happened(
      long acknowledged,
      long unknown,
      long takeovers,
      long kills,
      long pauses,
      long violations,
      long lost,
      long duplicates,
      long gaps,
      long events,
      long storageTroubles,
      long seed) {}

  @Override
  public Integer call() throws InterruptedException {
    if (workers < 1) {
      throw new IllegalArgumentException("--workers must be >= 1, was " + workers);
    }
    ENGINE.setLevel(Level.OFF);
    long chosen = seed != null ? seed : new SplittableRandom().nextLong(1_000_000);
    int level = Settings.trustLevel(trustLevel);
    prepare(TrustLevel.of(level));
    long before = 0;
    try (IAppStorage app = storages.open()) {
      before = Storages.events(app);
    }
    output.say(
        "%d workers for %s, seed %d; kill -9, pause and resume at random",
        workers, Durations.format(duration), chosen);
    fight(chosen, level);
    return judge(chosen, TrustLevel.of(level), before);
  }

  private void prepare(TrustLevel level) {
    try (IAppStorage app = Storages.openOrCreate(storages.uri(), partitions, level)) {
      if (!app.capabilities().contains(StorageCapability.MULTI_PROCESS)) {
        throw new IllegalArgumentException(
            "torture needs a storage that several processes can open, and '"
                + storages.uri().scheme()
                + "' is none; try --storage sqlite:torture.db");
      }
      AppPartitions checked =
          new AppPartitions(app, Shop.config(level, "torture", SequencerListener.NONE));
      checked.close();
    }
  }

  private void fight(long chosen, int level) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(chosen);
    List<Worker> alive = new ArrayList<>();
    try (Progress progress = output.progress("milliseconds", duration.toMillis())) {
      for (int i = 0; i < workers; i++) {
        alive.add(birth(random, level));
      }
      long started = System.nanoTime();
      for (long now = 0; now < duration.toMillis(); ) {
        Thread.sleep(20 + random.nextInt(LONGEST_PAUSE_MILLIS));
        strike(alive, random, level);
        now = (System.nanoTime() - started) / 1_000_000;
        progress.at(now);
      }
    } finally {
      alive.forEach(Worker::close);
    }
  }

  private void strike(List<Worker> alive, SplittableRandom random, int level) {
    int chosen = random.nextInt(alive.size());
    Worker victim = alive.get(chosen);
    switch (random.nextInt(5)) {
      case 0 -> {
        victim.kill();
        kills++;
        alive.set(chosen, birth(random, level));
      }
      case 1 -> {
        victim.pause();
        pauses++;
      }
      default -> alive.forEach(Worker::resume);
    }
    for (int i = 0; i < alive.size(); i++) {
      if (!alive.get(i).isAlive()) {
        alive.set(i, birth(random, level));
      }
    }
  }

  private Worker birth(SplittableRandom random, int level) {
    return Worker.start(
        List.of(
            "--storage=" + storages.text(),
            "--name=w" + ++born + "-" + Long.toHexString(System.nanoTime()),
            "--seed=" + random.nextLong(),
            "--workspaces=" + 5 * partitions,
            "--trust-level=" + level),
        this::hear);
  }

  private void hear(String line) {
    switch (line.split(" ", 2)[0]) {
      case "ack" -> acknowledged.hear(line);
      case "unknown" -> unknown.incrementAndGet();
      case "claim" -> takeovers.incrementAndGet();
      default -> troubles.incrementAndGet();
    }
  }

  /** A last owner takes every partition over, so that the last groups are applied; then we look. */
  private int judge(long chosen, TrustLevel level, long before) throws InterruptedException {
    try (IAppStorage app = reachable()) {
      try (AppPartitions last =
          new AppPartitions(
              app, Shop.config(level, "torture " + Owners.here(), SequencerListener.NONE))) {
        for (int partition = 0; partition < app.layout().partitions(); partition++) {
          last.deploy(partition);
          if (!last.sequencer(partition).awaitReady(REACHABLE)) {
            output.say("partition %d does not recover: %s", partition, last.status(partition));
          }
        }
      }
      Acknowledged.Compared compared = acknowledged.compare(app);
      Verdict verdict = PartitionVerifier.verifyAll(app);
      long violations = verdict.count() + compared.lost() + compared.duplicates() + compared.gaps();
      output.document(
          new Happened(
              acknowledged.count(),
              unknown.get(),
              takeovers.get(),
              kills,
              pauses,
              violations,
              compared.lost(),
              compared.duplicates(),
              compared.gaps(),
              compared.events(),
              troubles.get(),
              chosen));
      output.say(
          "%,d orders answered, %,d unknown, %,d takeovers, %,d kills, %,d pauses; %,d events logged",
          acknowledged.count(),
          unknown.get(),
          takeovers.get(),
          kills,
          pauses,
          compared.events() - before);
      output.say(
          "lost %d, given twice %d, left out %d",
          compared.lost(), compared.duplicates(), compared.gaps());
      verdict.violations().forEach(each -> output.say("%s %s", output.bad("BROKEN"), each));
      if (acknowledged.count() == 0) {
        output.say(
            "%s: no order was answered; %,d storage errors. Try a longer --duration",
            output.bad("nothing was tried"), troubles.get());
        return Failures.PROBLEM;
      }
      output.say(
          "%s", violations == 0 ? output.good("nothing broke") : output.bad("something broke"));
      return violations == 0 ? 0 : Failures.PROBLEM;
    }
  }

  /** The server may be on its way up again. */
  private IAppStorage reachable() throws InterruptedException {
    long deadline = System.nanoTime() + REACHABLE.toNanos();
    while (true) {
      try {
        return storages.open();
      } catch (StorageException e) {
        if (System.nanoTime() - deadline > 0) {
          throw e;
        }
        Thread.sleep(500);
      }
    }
  }
}
