package io.tidemark.cli;

import io.tidemark.api.BusyException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.SequencerListener;
import io.tidemark.api.StorageException;
import io.tidemark.api.TrustLevel;
import io.tidemark.pipeline.AppPartitions;
import io.tidemark.pipeline.CommandReply;
import io.tidemark.spi.IAppStorage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A process that takes orders until it is killed, for demo and torture. It says each thing on a
 * line of standard output as soon as it knows it: {@code ready}, {@code ack}, {@code unknown},
 * {@code claim}. It ends when its standard input does, so that it never outlives the one who
 * started it.
 */
@Command(name = "worker", hidden = true)
final class WorkerCommand implements Callable<Integer> {
  private static final Logger ENGINE = Logger.getLogger("io.tidemark");
  private static final int IN_FLIGHT = 32;
  private static final int MOST_IN_A_ROW = 60;
  private static final long PAUSE_MILLIS = 20;

  @Mixin private Storages storages;

  @Option(names = "--name", required = true)
  private String name;

  @Option(names = "--seed", required = true)
  private long seed;

  @Option(names = "--workspaces", required = true)
  private int workspaces;

  @Option(names = "--trust-level", required = true)
  private int trustLevel;

  @Option(names = "--from")
  private int from;

  @Option(names = "--to", description = "Orders to take; without it, claim and serve at random.")
  private @Nullable Integer to;

  private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
  private final Map<Integer, Long> deployedAt = new ConcurrentHashMap<>();

  WorkerCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    ENGINE.setLevel(Level.OFF); // the parent tells what matters
    endWithTheParent();
    if (to == null) {
      compete();
    } else {
      try (IAppStorage app = storages.open();
          AppPartitions partitions = partitions(app)) {
        serve(app, partitions, to);
      }
      say("done");
    }
    return 0;
  }

  private static void endWithTheParent() {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {}
              } catch (IOException e) {
                // gone as well
              }
              Runtime.getRuntime().halt(0);
            },
            "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private synchronized void say(String line) {
    out.println(line);
    out.flush();
  }

  private AppPartitions partitions(IAppStorage app) {
    SequencerListener listener =
        new SequencerListener() {
          @Override
          public void ready(int partition, long nextOffset, long eventsRead) {
            Long since = deployedAt.remove(partition);
            if (since != null) {
              long millis = (System.nanoTime() - since) / 1_000_000;
              say("ready %d %d %d %d".formatted(partition, nextOffset, eventsRead, millis));
            }
          }
        };
    TrustLevel level = TrustLevel.of(trustLevel);
    return new AppPartitions(app, Shop.config(level, name + " " + Owners.here(), listener));
  }

  private void deploy(AppPartitions partitions, int partition) {
    deployedAt.put(partition, System.nanoTime());
    partitions.redeploy(partition);
    say("claim " + partition);
  }

  /** Takes orders as fast as they are answered, several at a time. */
  private void serve(IAppStorage app, AppPartitions partitions, int end)
      throws InterruptedException {
    for (int partition = 0; partition < app.layout().partitions(); partition++) {
      deploy(partitions, partition);
    }
    SplittableRandom random = new SplittableRandom(seed + from);
    Semaphore room = new Semaphore(IN_FLIGHT);
    List<CompletableFuture<?>> answers = new ArrayList<>();
    for (int i = from; i < end; i++) {
      String tag = name + "-" + i;
      long wsid = 1 + random.nextLong(workspaces);
      room.acquire();
      answers.add(
          partitions
              .processorFor(wsid)
              .submit(Shop.order(tag, wsid, random))
              .handle(
                  (reply, failure) -> {
                    room.release();
                    if (reply != null) {
                      acknowledge(tag, wsid, reply);
                    } else {
                      say("failed " + tag + " " + cause(failure));
                    }
                    return reply;
                  }));
      answers.removeIf(CompletableFuture::isDone);
    }
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
  }

  /** Claims a partition at random, serves it for a while or until it is fenced, and so on. */
  private void compete() throws InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    int number = 0;
    while (true) {
      try (IAppStorage app = storages.open();
          AppPartitions partitions = partitions(app)) {
        while (true) {
          int partition = random.nextInt(app.layout().partitions());
          deploy(partitions, partition);
          int orders = 1 + random.nextInt(MOST_IN_A_ROW);
          for (int i = 0; i < orders; i++) {
            long wsid = workspaceOf(partition, app.layout().partitions(), random);
            if (!order(partitions, name + "-" + number++, wsid, random)) {
              break;
            }
          }
        }
      } catch (StorageException e) {
        say("trouble " + cause(e));
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  /** Takes one order; false when the partition is somebody else's. */
  private boolean order(AppPartitions partitions, String tag, long wsid, SplittableRandom random) {
    try {
      acknowledge(tag, wsid, partitions.processorFor(wsid).execute(Shop.order(tag, wsid, random)));
      return true;
    } catch (OutcomeUnknownException e) {
      say("unknown " + tag);
      return true;
    } catch (BusyException e) {
      return e.reason().temporary();
    } catch (StorageException e) {
      say("refused " + tag + " " + cause(e));
      return false;
    }
  }

  private long workspaceOf(int partition, int partitions, SplittableRandom random) {
    return (long) random.nextInt(Math.max(1, workspaces / partitions)) * partitions + partition;
  }

  private void acknowledge(String tag, long wsid, CommandReply reply) {
    say(
        "ack %s %d %d %d %d %d"
            .formatted(
                tag,
                wsid,
                reply.plogOffset(),
                reply.wlogOffset(),
                reply.newId(1),
                reply.drawn(Shop.INVOICE)));
  }

  private static String cause(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return String.valueOf(cause).replaceAll("\\R", " ");
  }
}
