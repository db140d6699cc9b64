package io.tidemark.cli;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.StorageCapability;
import io.tidemark.spi.StorageUri;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows in half a minute what Tidemark is for: a shop, a crash in the middle, and nothing lost. */
@Command(
    name = "demo",
    description = {
      "Runs a chain of shops: orders, items and invoice numbers. Kills its own worker process in the "
          + "middle (kill -9), starts another, and checks that nothing was lost, repeated or skipped.",
      "Without --storage it works on an SQLite file in a temporary folder. Exit code 1: something "
          + "was lost, given twice or left out."
    },
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class DemoCommand implements Callable<Integer> {
  private static final int ROWS_SHOWN = 6;
  private static final int DEFAULT_PARTITIONS = 4;

  @Mixin private Storages storages;
  @Mixin private Output output;

  @Option(
      names = "--partitions",
      paramLabel = "P",
      description = "Partitions of a new application (default: 4, or what is stored).")
  private @Nullable Integer partitions;

  @Option(
      names = "--workspaces",
      paramLabel = "W",
      defaultValue = "20",
      description = "How many shops there are (default: ${DEFAULT-VALUE}).")
  private int workspaces;

  @Option(
      names = "--commands",
      paramLabel = "N",
      defaultValue = "5000",
      description = "How many orders are placed (default: ${DEFAULT-VALUE}).")
  private int commands;

  @Option(
      names = "--trust-level",
      paramLabel = "L",
      description = "0, 1 or 2 (default: the setting 'trust-level').")
  private @Nullable Integer trustLevel;

  @Option(names = "--seed", paramLabel = "S", description = "Makes the same orders again.")
  private @Nullable Long seed;

  @Option(names = "--no-crash", description = "Do not kill the worker.")
  private boolean noCrash;

  private final Acknowledged acknowledged = new Acknowledged();
  private final List<String> shown = new ArrayList<>();
  private final AtomicLong recoveredEvents = new AtomicLong();
  private final AtomicLong recoveryMillis = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  DemoCommand() {}

  /** What happened, as shown. */
  record Happened(
      int commands,
      long acknowledged,
      long duplicates,
      long gaps,
      long lost,
      long recoveredEvents,
      long recoveryMillis,
      long commandsPerSecond,
      long events,
      long violations,
      long seed,
      String storage) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (workspaces < 1 || commands < 2) {
      throw new IllegalArgumentException(
          "--workspaces must be >= 1 and --commands >= 2, was " + workspaces + ", " + commands);
    }
    if (storages.isGiven()) {
      return run(storages.text());
    }
    Path folder = Files.createTempDirectory("tidemark-demo");
    int code = run("sqlite:" + folder.resolve("shop.db") + "?app=shop");
    output.say("The file stays in %s until you delete it.", folder);
    return code;
  }

  private int run(String text) throws InterruptedException {
    StorageUri uri = StorageUri.parse(text);
    long chosen = seed != null ? seed : new SplittableRandom().nextLong(1_000_000);
    int level = Settings.trustLevel(trustLevel);
    try (IAppStorage app = open(uri, TrustLevel.of(level))) {
      requireProcesses(app, uri);
      long before = Storages.events(app);
      long started = System.nanoTime();
      int placed = noCrash ? 0 : crash(app, text, chosen, level);
      finish(text, chosen, level, placed);
      double seconds = (System.nanoTime() - started) / 1e9;
      return report(app, text, chosen, seconds, before);
    }
  }

  private IAppStorage open(StorageUri uri, TrustLevel level) {
    return partitions != null
        ? Storages.create(uri, partitions, level)
        : Storages.openOrCreate(uri, DEFAULT_PARTITIONS, level);
  }

  private static void requireProcesses(IAppStorage app, StorageUri uri) {
    if (!app.capabilities().contains(StorageCapability.MULTI_PROCESS)) {
      throw new IllegalArgumentException(
          "the demo's worker is a process of its own, and the storage '"
              + uri.scheme()
              + "' cannot be shared between processes; try --storage sqlite:shop.db");
    }
  }

  /** Runs the first worker until half of the orders are answered, then kills it. */
  private int crash(IAppStorage app, String text, long chosen, int level)
      throws InterruptedException {
    output.say(
        "%s %d shops on %d partitions of '%s', %,d orders, trust level %d, seed %d%n",
        output.strong("tidemark demo:"),
        workspaces,
        app.layout().partitions(),
        StorageUri.parse(text).scheme(),
        commands,
        level,
        chosen);
    CountDownLatch half = new CountDownLatch(commands / 2);
    try (Worker worker =
        Worker.start(
            arguments("first", text, chosen, level, 0),
            line -> {
              hear(line, true);
              if (line.startsWith("ack ")) {
                half.countDown();
              }
            })) {
      while (half.getCount() > 0 && worker.isAlive()) {
        half.await(100, TimeUnit.MILLISECONDS);
      }
      showRows();
      output.say(
          "%n%s worker process %d after %,d answers, in the middle of its work",
          output.bad("kill -9"), worker.pid(), acknowledged.count());
      worker.kill();
    }
    return (int) Math.min(commands, acknowledged.count());
  }

  /** Runs a second worker to the end. */
  private void finish(String text, long chosen, int level, int placed) throws InterruptedException {
    try (Worker worker =
        Worker.start(
            arguments(noCrash ? "only" : "second", text, chosen, level, placed),
            line -> hear(line, false))) {
      worker.awaitExit();
    }
    if (noCrash) {
      showRows();
    } else {
      output.say(
          "a new worker took the partitions over and read %,d events of the logs' tails in %d ms",
          recoveredEvents.get(), recoveryMillis.get());
    }
  }

  private List<String> arguments(String name, String text, long chosen, int level, int from) {
    return List.of(
        "--storage=" + text,
        "--name=" + name + "-" + Long.toHexString(System.nanoTime()),
        "--seed=" + chosen,
        "--workspaces=" + workspaces,
        "--trust-level=" + level,
        "--from=" + from,
        "--to=" + commands);
  }

  private void hear(String line, boolean first) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "ack" -> {
        acknowledged.hear(line);
        if (shown.size() < ROWS_SHOWN) {
          shown.add(line);
        }
      }
      case "ready" -> {
        if (!first) {
          recoveredEvents.addAndGet(Long.parseLong(words[3]));
          recoveryMillis.accumulateAndGet(Long.parseLong(words[4]), Math::max);
        }
      }
      case "failed", "trouble" -> {
        failures.incrementAndGet();
        output.err().println("tidemark: worker: " + line);
      }
      default -> {}
    }
  }

  private void showRows() {
    Table table = new Table("shop", "partition log", "shop's log", "order id", "invoice");
    for (String line : shown) {
      String[] words = line.split(" ", -1);
      table.row(words[2], words[3], words[4], words[5], words[6]);
    }
    output.say("%s%n… and so on", table);
  }

  private int report(IAppStorage app, String text, long chosen, double seconds, long before) {
    Acknowledged.Compared compared = acknowledged.compare(app);
    Verdict verdict = PartitionVerifier.verifyAll(app);
    long perSecond = Math.round(acknowledged.count() / seconds);
    boolean fine = compared.lost() + compared.duplicates() + compared.gaps() + verdict.count() == 0;
    output.document(
        new Happened(
            commands,
            acknowledged.count(),
            compared.duplicates(),
            compared.gaps(),
            compared.lost(),
            recoveredEvents.get(),
            recoveryMillis.get(),
            perSecond,
            compared.events(),
            verdict.count(),
            chosen,
            Settings.hidePasswords(text)));
    output.say("%n%s", output.strong("What happened"));
    output.say(" 1. %,d orders were placed, %,d were answered", commands, acknowledged.count());
    output.say(" 2. the logs hold %,d events (%,d of an earlier run)", compared.events(), before);
    output.say(
        " 3. %,d orders were logged, but the crash cut off their answer",
        Math.max(0, compared.events() - before - acknowledged.count()));
    output.say(" 4. answered orders that are lost: %d", compared.lost());
    output.say(" 5. invoice numbers given twice:   %d", compared.duplicates());
    output.say(" 6. invoice numbers left out:      %d", compared.gaps());
    output.say(
        " 7. recovery read %,d of %,d events: the tails, not the logs",
        recoveredEvents.get(), compared.events());
    output.say(" 8. ready again after %d ms", recoveryMillis.get());
    output.say(" 9. about %,d orders a second, both processes' start included", perSecond);
    output.say(
        "10. %s",
        fine ? output.good("everything is whole") : output.bad("something is wrong, see above"));
    verdict.violations().forEach(each -> output.say("    %s", each));
    output.say("%nTry next");
    output.say("  ./tidemark verify --storage '%s'", Settings.hidePasswords(text));
    output.say("  ./tidemark inspect --storage '%s'", Settings.hidePasswords(text));
    output.say(
        "  ./tidemark torture --storage '%s' --workers 3 --duration 20s",
        Settings.hidePasswords(text));
    output.say("  ./tidemark simulate --bug plain-put");
    return fine && failures.get() == 0 ? 0 : Failures.PROBLEM;
  }
}
