package io.tidemark.storage.postgres;

import static io.tidemark.storage.postgres.Fixture.event;
import static io.tidemark.storage.postgres.Fixture.record;
import static io.tidemark.storage.postgres.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.StorageUri;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * A role with the rights that the guide grants, and nothing more. The server asks it for a
 * password.
 */
final class LeastPrivilegeTest {
  private static final String SECRET = "open-sesame";
  private static final Path GUIDE = Path.of("../docs/guide-postgres.md");

  @BeforeAll
  static void createRole() throws SQLException {
    execute("postgres", "CREATE ROLE guarded LOGIN PASSWORD '" + SECRET + "'");
  }

  private static void execute(String database, String sql) throws SQLException {
    try (Connection connection = Fixture.SERVER.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static StorageUri uri(String database, String password) {
    return StorageUri.parse(
        "postgres://guarded:%s@127.0.0.1:%d/%s?app=a"
            .formatted(password, Fixture.SERVER.port(), database));
  }

  private static String newDatabase() {
    String database = Fixture.newName("grants");
    Fixture.SERVER.createDatabase(database);
    return database;
  }

  private static String grants() throws IOException {
    Matcher block =
        Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(GUIDE));
    assertThat(block.find()).as("the guide has a block of grants").isTrue();
    return block.group(1).replace(" TO app;", " TO guarded;");
  }

  @Test
  void grants_ofTheGuide_areEnoughForEverything() throws Exception {
    String database = newDatabase();
    execute(database, Fixture.DRIVER.schema(uri(database, "unused")));
    execute(database, grants());
    try (IAppStorage app = Fixture.DRIVER.open(uri(database, SECRET), Layout.of(2))) {
      IPartitionStorage owner = app.claim(0, "guarded");
      long offset = 1;
      for (TrustLevel level : TrustLevel.values()) {
        owner.commit(
            new CommitGroup(
                List.of(event(offset)),
                List.of(record(offset, offset, true, "a"), record(500, offset, false, "b")),
                List.of(wlog(offset, offset, "x"))),
            level);
        offset++;
      }
      owner.settle();
      owner.markCorrupted(2);
      owner.storeFailure(new PartitionFailure("key", "cause"));
      owner.storeFailure(null);
      owner.writeValuesAndOffset(new SeqValues().add(7, 4, 3), 4);
      ISeqGeneration generation = owner.rebuild();
      generation.write(new SeqValues().add(7, 4, 3), 4);
      generation.activate();
      app.reader(0).scanRecords(row -> true);
      PostgresSequences sequences = ((PostgresAppStorage) app).sequences("guarded");
      SequenceDefinition definition = SequenceDefinition.named("s").build();
      sequences.transact(
          connection -> {
            long id = sequences.create(connection, definition);
            sequences.alter(connection, id, definition);
            sequences.put(connection, id, new VersionedValue(1, 1, true));
            sequences.put(connection, id, new VersionedValue(2, 2, true));
          });
      long id = sequences.catalog().get(0).id();
      sequences.prune(id);
      assertThat(sequences.getLatest(id).version()).isEqualTo(2);
      sequences.transact(connection -> sequences.drop(connection, id));
      assertThat(owner.logEnd()).isEqualTo(3);
    }
  }

  @Test
  void open_withoutTheSchemaAndTheRightToCreateIt_namesTheRemedy() {
    assertThatThrownBy(() -> Fixture.DRIVER.open(uri(newDatabase(), SECRET), Layout.of(2)))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("tidemark schema print");
  }

  @Test
  void open_withTheWrongPassword_saysSoAndShowsIt_nowhere() throws IOException {
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.addAppender(logged);
    root.setLevel(Level.TRACE);
    logged.start();
    StorageUri uri = uri("postgres", "wrong-" + SECRET);
    try {
      assertThatThrownBy(() -> Fixture.DRIVER.open(uri, Layout.of(2)))
          .isInstanceOf(StorageUnavailableException.class)
          .hasMessageContaining("refuses this user or password")
          .satisfies(failure -> assertThat(trace(failure)).doesNotContain(SECRET));
      String database = newDatabase();
      try (IAppStorage app =
          Fixture.DRIVER.open(
              PostgresStorageConfig.builder("127.0.0.1", database, "postgres")
                  .port(Fixture.SERVER.port())
                  .password(SECRET)
                  .build(),
              "a",
              Layout.of(1))) {
        app.claim(0, "test");
        assertThat(app.toString() + app.claim(0, "x") + uri).doesNotContain(SECRET);
      }
    } finally {
      root.setLevel(Level.OFF);
      root.detachAppender(logged);
    }
    assertThat(logged.list).as("the pool logs at this level").isNotEmpty();
    assertThat(logged.list).noneMatch(entry -> entry.getFormattedMessage().contains(SECRET));
  }

  private static String trace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
