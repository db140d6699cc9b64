package io.tidemark.storage.postgres;

import static io.tidemark.storage.postgres.Fixture.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A server warns when it did not wait for a commit's replication. Here a trigger does, on the meta
 * rows of a schema of its own.
 */
@Tag("F-9")
final class WarnedCommitTest {
  private final String schema = Fixture.newName("warned");
  private IAppStorage app;
  private IPartitionStorage owner;

  @BeforeEach
  void open() {
    app =
        Fixture.DRIVER.open(
            Fixture.uri(Fixture.SERVER.port(), "app", "&schema=" + schema), Layout.of(1));
    owner = app.claim(0, "first");
  }

  @AfterEach
  void close() throws SQLException {
    app.close();
    run("DROP SCHEMA " + schema + " CASCADE");
  }

  private static void run(String text) throws SQLException {
    try (Connection connection = Fixture.SERVER.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }

  private void warn() throws SQLException {
    run(
        ("CREATE FUNCTION %1$s.warn() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN RAISE WARNING ''not replicated''; RETURN NULL; END';"
                + " CREATE TRIGGER warn AFTER UPDATE ON %1$s.partition FOR EACH ROW EXECUTE FUNCTION"
                + " %1$s.warn()")
            .formatted(schema));
  }

  @Test
  void settle_afterAWarnedOne_commitsAgain_andIsNotConfirmedByARead() throws SQLException {
    long before = owner.epoch().number();
    warn();
    assertThatThrownBy(owner::settle).isInstanceOf(OutcomeUnknownException.class);
    assertThatThrownBy(owner::settle)
        .as("it would be confirmed by a read")
        .isInstanceOf(OutcomeUnknownException.class);
    run("DROP TRIGGER warn ON " + schema + ".partition");
    owner.settle();
    assertThat(owner.epoch().number()).isEqualTo(before + 3);
    owner.append(List.of(event(1)), WriteMode.INSERT_IF_NOT_EXISTS);
    assertThat(app.reader(0).info().epoch()).isEqualTo(owner.epoch());
  }

  @Test
  @Tag("F-11")
  void claim_thatIsWarnedOf_isUnknown() throws SQLException {
    warn();
    assertThatThrownBy(() -> app.claim(0, "second")).isInstanceOf(OutcomeUnknownException.class);
  }

  @Test
  @Tag("F-11")
  void claim_writesInItsLastStatement_soThatNoneAfterItCanFail() {
    CountingSource counting = Fixture.countingSource();
    IAppStorage counted = Fixture.DRIVER.open(counting.source(), schema, "app", Layout.of(1));
    long before = counting.executed();
    IPartitionStorage claimed = counted.claim(0, "second");
    assertThat(counting.executed() - before).as("a read and the claim").isEqualTo(2);
    assertThat(claimed.epoch().number()).isEqualTo(owner.epoch().number() + 1);
    assertThat(app.reader(0).info().owner()).isEqualTo("second");
  }
}
