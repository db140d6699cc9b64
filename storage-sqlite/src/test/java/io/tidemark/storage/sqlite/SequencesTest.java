package io.tidemark.storage.sqlite;

import static io.tidemark.storage.sqlite.Fixture.APP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.ISequenceStorage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQL-like sequences in transactions on the caller's own connections. */
final class SequencesTest {
  private static final SequenceDefinition ROWS = SequenceDefinition.named("rows").build();

  @TempDir Path folder;

  private SqliteStorageConfig config;
  private IAppStorage app;
  private ISequenceStorage<Connection> sequences;
  private long id;

  @BeforeEach
  @SuppressWarnings("unchecked")
  void open() {
    config = SqliteStorageConfig.of(folder.resolve("shop.db"), APP).withTimeout(Fixture.PATIENCE);
    app = Fixture.open(config.file());
    sequences = (ISequenceStorage<Connection>) app.sequences("test");
    id = create();
  }

  @AfterEach
  void close() {
    app.close();
  }

  private long create() {
    AtomicLong created = new AtomicLong();
    sequences.transact(transaction -> created.set(sequences.create(transaction, ROWS)));
    return created.get();
  }

  private Connection begin() throws SQLException {
    Connection connection = SqliteStorageDriver.connect(config);
    connection.setAutoCommit(false);
    return connection;
  }

  private static VersionedValue version(long version) {
    return new VersionedValue(version, version * 10, true);
  }

  @Tag("Q-9")
  @Test
  void put_withARowOfTheCaller_isDurableTogetherWithIt() throws SQLException {
    try (Connection connection = begin();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE mine (id INTEGER)");
      connection.commit();

      statement.execute("INSERT INTO mine VALUES (10)");
      sequences.put(connection, id, version(1));
      connection.rollback();
      assertThat(sequences.getLatest(id)).isEqualTo(new VersionedValue(0, 1, false));

      statement.execute("INSERT INTO mine VALUES (10)");
      sequences.put(connection, id, version(1));
      assertThat(sequences.getLatest(id).version()).as("before the commit").isZero();
      connection.commit();
      assertThat(sequences.getLatest(id)).isEqualTo(version(1));
      try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM mine")) {
        assertThat(rows.getInt(1)).isEqualTo(1);
      }
    }
  }

  @Tag("Q-10")
  @Test
  void put_inOverlappingTransactions_bothCommit() throws Exception {
    try (Connection first = begin();
        Connection second = begin()) {
      sequences.put(first, id, version(6));
      CompletableFuture<Void> other =
          CompletableFuture.runAsync(
              () -> {
                sequences.put(second, id, version(5));
                commit(second);
              });
      first.commit();
      other.get();
    }
    assertThat(sequences.getLatest(id)).isEqualTo(version(6));
  }

  private static void commit(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Tag("Q-8")
  @Test
  void create_rolledBack_givesItsIdToNobodyElse() throws SQLException {
    long lost;
    try (Connection connection = begin()) {
      lost = sequences.create(connection, ROWS);
      connection.rollback();
    }
    assertThat(create()).isNotEqualTo(lost);
    assertThat(app.sequences("next").catalog()).noneMatch(entry -> entry.id() == lost);
    assertThatThrownBy(() -> sequences.getLatest(lost))
        .isInstanceOf(UnknownSequenceException.class);
  }

  @Tag("Q-5")
  @Test
  void put_afterAnotherClaim_isFenced() throws SQLException {
    app.sequences("other");
    try (Connection connection = begin()) {
      assertThatThrownBy(() -> sequences.put(connection, id, version(1)))
          .isInstanceOf(FencedException.class)
          .hasMessageContaining("'other'");
      assertThatThrownBy(() -> sequences.create(connection, ROWS))
          .isInstanceOf(FencedException.class);
      assertThatThrownBy(() -> sequences.drop(connection, id)).isInstanceOf(FencedException.class);
    }
  }

  @Tag("Q-5")
  @Test
  void claim_whileAPutIsOpen_waitsAndCannotSlipInBetween() throws SQLException {
    try (Connection connection = begin();
        IAppStorage impatient = Fixture.open(config.file(), Duration.ofMillis(20))) {
      sequences.put(connection, id, version(1));
      assertThatThrownBy(() -> impatient.sequences("other"))
          .isInstanceOf(StorageUnavailableException.class);
      connection.commit();
      assertThat(impatient.sequences("other").getLatest(id)).isEqualTo(version(1));
    }
  }

  @Tag("Q-9")
  @Test
  void put_withoutATransaction_isRefused() throws SQLException {
    Connection connection = SqliteStorageDriver.connect(config);
    assertThatThrownBy(() -> sequences.put(connection, id, version(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("setAutoCommit(false)");
    connection.close();
    assertThatThrownBy(() -> sequences.put(connection, id, version(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("finished");
  }

  @Test
  void put_onAConnectionToAnotherFile_isRefused() throws SQLException {
    SqliteStorageConfig other = SqliteStorageConfig.of(folder.resolve("other.db"), APP);
    Fixture.open(other.file()).close();
    try (Connection connection = SqliteStorageDriver.connect(other)) {
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> sequences.put(connection, id, version(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("other.db", "shop.db");
      try (Statement statement = connection.createStatement()) {
        statement.execute("DROP TABLE tidemark_sequence");
      }
      assertThatThrownBy(() -> sequences.put(connection, id, version(1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void unknownSequence_isNamed() throws SQLException {
    try (Connection connection = begin()) {
      assertThatThrownBy(() -> sequences.put(connection, 77, version(1)))
          .isInstanceOf(UnknownSequenceException.class)
          .hasMessageContaining("77");
      assertThatThrownBy(() -> sequences.alter(connection, 77, ROWS))
          .isInstanceOf(UnknownSequenceException.class);
      assertThatThrownBy(() -> sequences.drop(connection, 77))
          .isInstanceOf(UnknownSequenceException.class);
    }
  }
}
