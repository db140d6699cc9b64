package io.tidemark.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who waits for whom, and what a wait that ends in vain leaves behind. */
final class LockingTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  @TempDir Path folder;

  private Path file;

  @BeforeEach
  void newFile() {
    file = folder.resolve("shop.db");
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Tag("F-1")
  @Tag("S-2")
  @Test
  void write_whileAPausedProcessHoldsTheLock_isUnavailableAndWritesNothing() throws SQLException {
    try (IAppStorage app = Fixture.open(file, SHORT);
        Connection paused = connect()) {
      IPartitionStorage owner = app.claim(0, "owner");
      List<PLogEvent> group = Fixture.group(1, 2);
      execute(paused, "BEGIN IMMEDIATE");

      assertThatThrownBy(() -> owner.append(group, WriteMode.INSERT_IF_NOT_EXISTS))
          .isInstanceOf(StorageUnavailableException.class)
          .hasMessageContaining("another writer");
      assertThatThrownBy(() -> app.claim(0, "takeover"))
          .isInstanceOf(StorageUnavailableException.class);
      assertThat(owner.logEnd()).as("readers do not wait").isZero();

      execute(paused, "ROLLBACK");
      owner.append(group, WriteMode.INSERT_IF_NOT_EXISTS);
      assertThat(Fixture.plog(app.reader(0))).isEqualTo(group);
    }
  }

  @Tag("F-9")
  @Test
  void settle_thatHadToWaitInVain_keepsItsTargetAndSucceedsLater() throws SQLException {
    try (IAppStorage app = Fixture.open(file, SHORT);
        Connection paused = connect()) {
      IPartitionStorage owner = app.claim(0, "owner");
      execute(paused, "BEGIN IMMEDIATE");
      assertThatThrownBy(owner::settle).isInstanceOf(StorageUnavailableException.class);
      execute(paused, "ROLLBACK");

      owner.append(Fixture.group(1, 1), WriteMode.INSERT_IF_NOT_EXISTS);
      owner.settle();
      owner.append(Fixture.group(2, 2), WriteMode.INSERT_IF_NOT_EXISTS);
      assertThat(app.reader(0).info().epoch()).isEqualTo(owner.epoch());
      assertThat(app.reader(0).logEnd()).isEqualTo(2);
    }
  }

  @Tag("F-12")
  @Test
  void append_afterAClaimThroughAnotherStorage_isFencedInEveryMode() {
    try (IAppStorage one = Fixture.open(file);
        IAppStorage two = Fixture.open(file)) {
      IPartitionStorage old = one.claim(0, "old");
      List<PLogEvent> logged = Fixture.group(1, 1);
      old.append(logged, WriteMode.INSERT_IF_NOT_EXISTS);
      IPartitionStorage owner = two.claim(0, "new");

      for (WriteMode mode : WriteMode.values()) {
        assertThatThrownBy(() -> old.append(Fixture.group(2, 2), mode))
            .isInstanceOf(FencedException.class)
            .hasMessageContainingAll("'new'", owner.epoch().toString());
        old.append(logged, mode); // finds itself
      }
      assertThatThrownBy(old::settle).isInstanceOf(FencedException.class);
      assertThat(owner.logEnd()).isEqualTo(1);
    }
  }

  @Tag("S-1")
  @Test
  void writers_ofManyPartitionsAndStorages_allGetTheirTurn_stochastic() throws Exception {
    try (IAppStorage one = Fixture.open(file);
        IAppStorage two = Fixture.open(file)) {
      ExecutorService threads = Executors.newFixedThreadPool(4);
      try {
        List<Future<?>> work = new ArrayList<>();
        for (int partition = 0; partition < 2; partition++) {
          IPartitionStorage handle = (partition == 0 ? one : two).claim(partition, "owner");
          work.add(threads.submit(() -> appendEach(handle)));
          work.add(threads.submit(() -> countUp(handle)));
        }
        for (Future<?> done : work) {
          done.get();
        }
      } finally {
        threads.shutdownNow();
      }
      for (int partition = 0; partition < 2; partition++) {
        assertThat(Fixture.plog(one.reader(partition))).hasSize(50);
        assertThat(two.reader(partition).readNextPLogOffset()).isEqualTo(50);
      }
    }
  }

  private static void appendEach(IPartitionStorage handle) {
    for (int offset = 1; offset <= 50; offset++) {
      handle.append(Fixture.group(offset, offset), WriteMode.INSERT_IF_NOT_EXISTS);
    }
  }

  private static void countUp(IPartitionStorage handle) {
    for (int offset = 1; offset <= 50; offset++) {
      handle.writeValuesAndOffset(Fixture.values(offset), offset);
    }
  }

  @Tag("L-1")
  @Test
  void visitor_whileItRuns_noReadTransactionIsOpen() throws SQLException {
    try (IAppStorage app = Fixture.open(file);
        Connection other = connect()) {
      IPartitionStorage owner = app.claim(0, "owner");
      owner.append(Fixture.group(1, 600), WriteMode.INSERT_IF_NOT_EXISTS);
      List<Long> seen = new ArrayList<>();

      owner.readPLog(
          1,
          event -> {
            if (event.offset() % 200 == 0) {
              owner.append(
                  Fixture.group(owner.logEnd() + 1, owner.logEnd() + 1),
                  WriteMode.INSERT_IF_NOT_EXISTS);
              assertThat(blocked(other)).as("checkpoint blocked by a reader").isZero();
            }
            return seen.add(event.offset());
          });

      assertThat(seen).as("up to the end when the scan began").hasSize(600);
      assertThat(owner.logEnd()).isEqualTo(603);
    }
  }

  private static int blocked(Connection connection) {
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)")) {
      return answer.getInt(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Tag("L-1")
  @Test
  void page_ofLargeRows_isBoundedByTheirBytes() throws SQLException {
    try (IAppStorage app = Fixture.open(file);
        Session session = new Session(connect())) {
      IPartitionStorage owner = app.claim(0, "owner");
      for (int offset = 1; offset <= 6; offset++) {
        owner.append(
            List.of(Fixture.event(offset, new byte[600_000])), WriteMode.INSERT_IF_NOT_EXISTS);
      }
      Session.Page<byte[]> page =
          session.page(
              "SELECT event FROM tidemark_plog", row -> row.getBytes(1), bytes -> bytes.length);
      assertThat(page.rows()).hasSize(2);
      assertThat(page.last()).isFalse();
      assertThat(Fixture.plog(owner)).hasSize(6);
    }
  }

  @Test
  void rollback_afterSqliteRolledBackByItself_leavesAUsableSession() throws SQLException {
    try (Session session = new Session(connect())) {
      session.rollback();
      session.update("BEGIN IMMEDIATE");
      session.update("CREATE TABLE mine (id INTEGER)");
      session.rollback();
      session.update("BEGIN IMMEDIATE");
      session.update("CREATE TABLE mine (id INTEGER)");
      session.update("COMMIT");
    }
  }
}
