package io.tidemark.storage.postgres;

import static io.tidemark.storage.postgres.Fixture.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers and pools in trouble. */
final class TroubleTest {
  private static final WriteMode INSERT = WriteMode.INSERT_IF_NOT_EXISTS;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  @Tag("F-1")
  @Tag("S-2")
  void append_withThePoolExhausted_isUnavailableAndWritesNothing() throws Exception {
    String name = Fixture.newName("pool");
    try (IAppStorage app =
        Fixture.DRIVER.open(
            Fixture.uri(Fixture.SERVER.port(), name, "&poolSize=1&timeoutSeconds=1"),
            Layout.of(1))) {
      IPartitionStorage owner = app.claim(0, "test");
      CountDownLatch taken = new CountDownLatch(1);
      CountDownLatch giveBack = new CountDownLatch(1);
      PostgresSequences sequences = ((PostgresAppStorage) app).sequences("test");
      CompletableFuture<Void> holder =
          CompletableFuture.runAsync(
              () ->
                  sequences.transact(
                      connection -> {
                        taken.countDown();
                        awaitQuietly(giveBack);
                      }));
      taken.await();
      assertThatThrownBy(() -> owner.append(List.of(event(1)), INSERT))
          .isInstanceOf(StorageUnavailableException.class);
      giveBack.countDown();
      holder.get(1, TimeUnit.MINUTES);
      assertThat(owner.logEnd()).isZero();
      owner.append(List.of(event(1)), INSERT);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @Tag("F-2")
  @Tag("F-9")
  @Tag("S-2")
  void append_toAPausedServer_failsInTimeAndIsDecidedBySettling() {
    try (PostgresServer server = PostgresServer.started(18)) {
      IAppStorage app =
          Fixture.DRIVER.open(
              Fixture.uri(server.port(), "paused", "&timeoutSeconds=1"), Layout.of(1));
      try (app) {
        IPartitionStorage owner = app.claim(0, "test");
        List<PLogEvent> group = List.of(event(1));
        server.pause();
        try {
          // Unavailable if the pool finds out while it tests the connection: then nothing was sent.
          assertThatThrownBy(() -> owner.append(group, INSERT))
              .isInstanceOfAny(OutcomeUnknownException.class, StorageUnavailableException.class);
          assertThatThrownBy(owner::logEnd).isInstanceOf(StorageUnavailableException.class);
        } finally {
          server.resume();
        }
        owner.settle();
        long end = owner.logEnd();
        owner.append(group, INSERT);
        assertThat(owner.logEnd()).as("it was %d after the settle", end).isEqualTo(1);
      }
    }
  }

  /** A client killed while its statement waits for a lock would else write seconds later. */
  @Test
  @Tag("F-12")
  void claim_whileAnAppendIsStuck_decidesIt() throws Exception {
    String name = Fixture.newName("stuck");
    try (IAppStorage app =
            Fixture.DRIVER.open(
                Fixture.uri(Fixture.SERVER.port(), name, "&timeoutSeconds=2"), Layout.of(1));
        Connection blocker = Fixture.SERVER.connect("postgres");
        Statement statement = blocker.createStatement()) {
      IPartitionStorage owner = app.claim(0, "test");
      blocker.setAutoCommit(false);
      // Somebody's uncommitted row at the append's key: the insert waits for it, holding FOR SHARE.
      statement.execute(
          "INSERT INTO tidemark.plog SELECT id, 0, 1, '' FROM tidemark.application WHERE name = '"
              + name
              + "'");
      CompletableFuture<Void> append =
          CompletableFuture.runAsync(() -> owner.append(List.of(event(1)), INSERT));
      assertThatThrownBy(append::get)
          .as("the lock is not waited for for ever")
          .hasCauseInstanceOf(StorageUnavailableException.class);
      blocker.rollback();
      IPartitionStorage next = app.claim(0, "next");
      assertThat(next.logEnd()).isZero();
      next.append(List.of(event(1)), INSERT);
    }
  }

  /**
   * The append holds the owner row FOR SHARE while it is being executed; the claim waits for it.
   */
  @Test
  @Tag("F-12")
  void claim_whileAnAppendIsUnderWay_waitsForIt() throws Exception {
    String name = Fixture.newName("waits");
    try (IAppStorage app = Fixture.open(name, Layout.of(1));
        Connection blocker = Fixture.SERVER.connect("postgres");
        Statement statement = blocker.createStatement()) {
      IPartitionStorage owner = app.claim(0, "test");
      blocker.setAutoCommit(false);
      statement.execute(
          "INSERT INTO tidemark.plog SELECT id, 0, 1, '' FROM tidemark.application WHERE name = '"
              + name
              + "'");
      CompletableFuture<Void> append =
          CompletableFuture.runAsync(() -> owner.append(List.of(event(1)), INSERT));
      awaitWaiting("INSERT INTO", append);
      CompletableFuture<Long> endWhenClaimed =
          CompletableFuture.supplyAsync(() -> app.claim(0, "next").logEnd());
      awaitWaiting("UPDATE ", endWhenClaimed);
      blocker.rollback();
      append.get(1, TimeUnit.MINUTES);
      assertThat(endWhenClaimed.get(1, TimeUnit.MINUTES))
          .as("the log's end when the claim returned, and for ever")
          .isEqualTo(app.reader(0).logEnd())
          .isEqualTo(1);
    }
  }

  /** Until a statement of ours waits for a lock, or its call has ended. */
  private static void awaitWaiting(String part, CompletableFuture<?> call) throws SQLException {
    String query =
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            + " AND application_name = 'tidemark' AND query LIKE '%"
            + part
            + "%'";
    try (Connection connection = Fixture.SERVER.connect("postgres");
        Statement statement = connection.createStatement()) {
      boolean waiting = false;
      while (!waiting && !call.isDone()) {
        try (ResultSet row = statement.executeQuery(query)) {
          row.next();
          waiting = row.getInt(1) > 0;
        }
      }
    }
  }

  @Test
  @Tag("F-1")
  void open_whileTheServerComesBack_isUnavailableUntilItWorks() throws Exception {
    try (PostgresServer server = PostgresServer.started(18, "checkpoint_timeout=1h")) {
      String name = "back";
      try (IAppStorage app =
          Fixture.DRIVER.open(
              Fixture.uri(server.port(), name, "&timeoutSeconds=1"), Layout.of(1))) {
        IPartitionStorage owner = app.claim(0, "test");
        owner.append(List.of(large(1)), INSERT);
        server.kill9();
        assertThatThrownBy(() -> owner.append(List.of(event(2)), INSERT))
            .isInstanceOf(StorageException.class);
        assertThatThrownBy(owner::settle)
            .as("while it is down")
            .isInstanceOfAny(StorageUnavailableException.class, OutcomeUnknownException.class);
        CompletableFuture<Void> back = CompletableFuture.runAsync(() -> server.start(PATIENCE));
        long end = 0;
        while (end == 0) {
          try {
            owner.settle();
            end = owner.logEnd();
          } catch (StorageUnavailableException | OutcomeUnknownException e) {
            end = 0; // not back yet; anything else ends the test
          }
        }
        back.get(2, TimeUnit.MINUTES);
        assertThat(end).isEqualTo(1);
        owner.append(List.of(event(2)), INSERT);
      }
    }
  }

  private static PLogEvent large(long offset) {
    byte[] payload = new byte[1 << 20];
    new Random(offset).nextBytes(payload);
    return new PLogEvent(offset, event(offset).header(), payload);
  }

  @Test
  @Tag("F-1")
  @Tag("I9")
  void append_withTheDiskFull_isUnavailableAndLosesNothing() throws SQLException {
    try (PostgresServer server = PostgresServer.startedOnSmallDisk(18, 80);
        IAppStorage app = Fixture.open(server, "full", Layout.of(1))) {
      try (Connection connection = server.connect("postgres");
          Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE TABLE ballast AS SELECT repeat(md5(n::text), 30) FROM generate_series(1, 5000) n");
        IPartitionStorage owner = app.claim(0, "test");
        long acknowledged = fill(owner);
        assertThat(owner.logEnd()).isEqualTo(acknowledged);
        statement.execute("DROP TABLE ballast");
        owner.append(List.of(event(acknowledged + 1)), INSERT);
        List<Long> offsets = new ArrayList<>();
        owner.readPLog(1, event -> offsets.add(event.offset()));
        assertThat(offsets).hasSize((int) acknowledged + 1).isSorted();
      }
    }
  }

  /** Appends until the server refuses; answers how many events were acknowledged. */
  private static long fill(IPartitionStorage owner) {
    for (long offset = 1; offset < 1000; offset++) {
      PLogEvent next = large(offset);
      try {
        owner.append(List.of(next), INSERT);
      } catch (StorageUnavailableException e) {
        assertThat(e).hasMessageContaining("disk is full");
        return offset - 1;
      }
    }
    throw new AssertionError("the disk was never full");
  }
}
