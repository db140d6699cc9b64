package io.tidemark.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.IAppStorage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** SQL-like sequences on the caller's own connection. */
final class SequencesTest {
  private static final SequenceDefinition DEFINITION =
      SequenceDefinition.named("invoices").start(10L).build();

  private final PostgresAppStorage app = (PostgresAppStorage) Fixture.openNew();
  private final PostgresSequences sequences = app.sequences("first");
  private final long id = created();

  @AfterEach
  void close() {
    app.close();
  }

  private long created() {
    AtomicLong answer = new AtomicLong();
    sequences.transact(connection -> answer.set(sequences.create(connection, DEFINITION)));
    return answer.get();
  }

  private static Connection begin() throws SQLException {
    Connection connection = Fixture.SERVER.connect("postgres");
    connection.setAutoCommit(false);
    return connection;
  }

  private static VersionedValue value(long version) {
    return new VersionedValue(version, 100 + version, true);
  }

  @Test
  @Tag("Q-8")
  @Tag("Q-11")
  void create_thenCatalog_hasTheDefinition() {
    assertThat(sequences.catalog()).hasSize(1).allMatch(e -> e.definition().equals(DEFINITION));
    assertThat(sequences.getLatest(id)).isEqualTo(new VersionedValue(0, 10, false));
    long second = created();
    sequences.transact(connection -> sequences.drop(connection, second));
    assertThat(created()).isGreaterThan(second);
    assertThatThrownBy(() -> sequences.getLatest(second))
        .isInstanceOf(UnknownSequenceException.class);
  }

  @Test
  @Tag("Q-9")
  void put_isDurableExactlyWithTheCallersTransaction() throws SQLException {
    try (Connection mine = begin()) {
      sequences.put(mine, id, value(1));
      assertThat(sequences.getLatest(id).version()).isZero();
      mine.rollback();
      assertThat(sequences.getLatest(id).version()).isZero();
      sequences.put(mine, id, value(2));
      mine.commit();
    }
    assertThat(sequences.getLatest(id)).isEqualTo(value(2));
  }

  @Test
  @Tag("Q-10")
  void put_ofOverlappingTransactions_bothCommit() throws SQLException {
    try (Connection first = begin();
        Connection second = begin()) {
      sequences.put(first, id, value(1));
      sequences.put(second, id, value(2));
      second.commit();
      first.commit();
    }
    assertThat(sequences.getLatest(id)).isEqualTo(value(2));
    sequences.transact(
        connection -> sequences.put(connection, id, new VersionedValue(2, 999, true)));
    assertThat(sequences.getLatest(id)).isEqualTo(value(2));
  }

  @Test
  @Tag("Q-5")
  void put_afterAnotherClaim_isFenced() {
    PostgresSequences next = app.sequences("second");
    assertThatThrownBy(
            () -> sequences.transact(connection -> sequences.put(connection, id, value(1))))
        .isInstanceOf(FencedException.class);
    assertThatThrownBy(
            () -> sequences.transact(connection -> sequences.create(connection, DEFINITION)))
        .isInstanceOf(FencedException.class);
    next.transact(connection -> next.put(connection, id, value(1)));
    assertThat(next.getLatest(id)).isEqualTo(value(1));
  }

  @Test
  @Tag("Q-5")
  void claim_whileAPutIsOpen_namesWhoHoldsItUp() throws SQLException {
    PostgresStorageConfig impatient =
        PostgresStorageConfig.builder("127.0.0.1", "postgres", "postgres")
            .port(Fixture.SERVER.port())
            .timeout(Duration.ofSeconds(4))
            .build();
    try (Connection mine = begin();
        IAppStorage other = Fixture.DRIVER.open(impatient, app.application(), null)) {
      sequences.put(mine, id, value(1));
      assertThatThrownBy(() -> other.sequences("second"))
          .isInstanceOf(StorageUnavailableException.class)
          .hasMessageContaining("process " + pid(mine) + " of the server");
      mine.commit();
      other.sequences("second");
    }
    assertThat(sequences.getLatest(id)).as("committed before the claim").isEqualTo(value(1));
  }

  private static int pid(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void put_onAFinishedTransaction_isRefused() throws SQLException {
    Connection finished = begin();
    finished.close();
    assertThatThrownBy(() -> sequences.put(finished, id, value(1)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> sequences.put(finished, id, new VersionedValue(0, 1, true)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void prune_keepsTheHighestDurableVersion() throws SQLException {
    try (Connection open = begin()) {
      sequences.transact(
          connection -> {
            sequences.put(connection, id, value(1));
            sequences.put(connection, id, value(2));
          });
      sequences.put(open, id, value(3));
      sequences.prune(id);
      open.rollback();
    }
    assertThat(sequences.getLatest(id)).isEqualTo(value(2));
    try (Connection connection = begin();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM tidemark.sequence_value WHERE id = " + id)) {
      row.next();
      assertThat(row.getInt(1)).isEqualTo(1);
    }
  }

  @Test
  void put_toAnUnknownSequence_isRefused() {
    assertThatThrownBy(
            () -> sequences.transact(connection -> sequences.put(connection, -1, value(1))))
        .isInstanceOf(UnknownSequenceException.class);
  }
}
