package io.tidemark.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.testservers.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Kills server and client under load, at random moments. {@code -Pchaos} kills 100 times, {@code
 * -Psoak} goes on for 30 minutes; otherwise 5 kills.
 */
final class ChaosTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int KILLS = Integer.getInteger("tidemark.chaos.kills", 5);
  private static final int MINUTES = Integer.getInteger("tidemark.chaos.minutes", 0);
  private static final long SEED = Long.getLong("tidemark.chaos.seed", System.nanoTime());

  @Test
  @Tag("I9")
  @Tag("I1")
  @Tag("I4")
  void kill9_ofServerAndClientUnderLoad_losesNothing() throws Exception {
    Random random = new Random(SEED);
    long end = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
    try (PostgresServer server = PostgresServer.started(18)) {
      String name = Fixture.newName("chaos");
      Fixture.open(server, name, Layout.of(1)).close();
      String uri =
          "postgres://postgres@127.0.0.1:%d/postgres?app=%s&timeoutSeconds=5"
              .formatted(server.port(), name);
      List<String> acknowledged = new ArrayList<>();
      WorkerProcess worker = new WorkerProcess(uri, 0, 0, random.nextLong());
      try {
        worker.awaitReady();
        for (int kill = 0; kill < KILLS || System.nanoTime() < end; kill++) {
          worker.awaitAcknowledged(1 + random.nextInt(50));
          spin(random.nextInt(200_000));
          if (kill % 2 == 0) {
            server.restart(PATIENCE);
          } else {
            worker.kill9();
            acknowledged.addAll(worker.acknowledged());
            worker = new WorkerProcess(uri, 0, kill % 3, random.nextLong());
            worker.awaitReady();
          }
        }
        worker.awaitAcknowledged(10);
        worker.kill9();
        acknowledged.addAll(worker.acknowledged());
      } finally {
        worker.close();
      }
      try (IAppStorage app = Fixture.open(server, name, null)) {
        app.claim(0, "checker"); // fences what the last worker may have left on its way
        assertThat(acknowledged).as("seed %d", SEED).hasSizeGreaterThan(KILLS);
        Tables.check(server, app, 0, acknowledged);
      }
    }
  }

  /** Spreads the kills over the phases of a command. */
  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  @Test
  @Tag("F-12")
  @Tag("F-3")
  @Tag("I11")
  void sigstop_ofTheOwner_thenTakeover_fencesItWhenItWakes() throws Exception {
    PostgresServer server = Fixture.SERVER;
    String name = Fixture.newName("zombie");
    Fixture.open(name, Layout.of(1)).close();
    String uri = "postgres://postgres@127.0.0.1:%d/postgres?app=%s".formatted(server.port(), name);
    try (WorkerProcess first = new WorkerProcess(uri, 0, 0, 1);
        IAppStorage app = Fixture.open(name, null)) {
      first.awaitReady();
      first.awaitAcknowledged(20);
      first.signal("STOP");
      try (WorkerProcess second = new WorkerProcess(uri, 0, 0, 2)) {
        second.awaitReady();
        second.awaitAcknowledged(20);
        first.signal("CONT");
        assertThat(first.awaitEnd()).isEqualTo(Worker.FENCED);
        second.awaitAcknowledged(20);
        second.kill9();
        app.claim(0, "checker");
        List<String> acknowledged = new ArrayList<>(first.acknowledged());
        acknowledged.addAll(second.acknowledged());
        Tables.check(server, app, 0, acknowledged);
        assertOneChangeOfOwner(Tables.log(server, name, 0), second.acknowledged());
      }
    }
  }

  /** Once the second owner has logged, nothing of the first appears. */
  private static void assertOneChangeOfOwner(List<PLogEvent> log, List<String> second) {
    Set<String> ofSecond = new HashSet<>(second);
    long firstOfSecond = Long.parseLong(second.get(0).substring(0, second.get(0).indexOf(" ")));
    for (PLogEvent event : log) {
      String line = event.offset() + " " + event.header().writeId();
      boolean unknownTail = event.offset() > firstOfSecond + second.size() - 1;
      assertThat(ofSecond.contains(line))
          .as("offset %d", event.offset())
          .isEqualTo(event.offset() >= firstOfSecond && !unknownTail);
    }
  }
}
