package io.tidemark.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ISequence;
import io.tidemark.api.ISequences;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceExistsException;
import io.tidemark.core.Sequences;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example of docs/guide-sequences.md is this code, and it works on a real server. */
final class SequencesGuideTest {
  private static final String BEGIN = "  // begin\n";
  private static final String END = "  // end\n";

  private final String name = Fixture.newName("guide");

  // begin
  /** Opens the row ids of a table; the first time, creates them. */
  static ISequence<Connection> rowIds(ISequences<Connection> sequences, String table) {
    SequenceDefinition definition = SequenceDefinition.named(table + ".row_id").build();
    try {
      sequences.create(definition);
    } catch (SequenceExistsException e) {
      // Another run of this program has created it.
    }
    return sequences.open(definition.name());
  }

  /** Inserts a row: its id becomes durable exactly when the row does. */
  static long insert(Connection connection, ISequence<Connection> rowIds, String text)
      throws SQLException {
    long id = rowIds.next(connection); // from memory, registered with the row's own transaction
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO note (row_id, text) VALUES (?, ?)")) {
      insert.setLong(1, id);
      insert.setString(2, text);
      insert.executeUpdate();
    }
    return id;
  }

  // end

  @Test
  void guide_showsTheExample_asItIsCompiledHere() throws IOException {
    String source = read("src/test/java/io/tidemark/storage/postgres/SequencesGuideTest.java");
    int begin = source.indexOf("\n" + BEGIN) + 1 + BEGIN.length();
    String shown =
        source.substring(begin, source.indexOf("\n" + END)).stripTrailing().stripIndent();
    assertThat(read("../docs/guide-sequences.md")).contains("```java\n" + shown + "\n```\n");
  }

  private static String read(String path) throws IOException {
    return Files.readString(Path.of(path));
  }

  private Connection connect() throws SQLException {
    Connection connection = Fixture.SERVER.connect("postgres");
    connection.setAutoCommit(false);
    return connection;
  }

  private IAppStorage open() {
    return Fixture.open(name, Layout.of(1));
  }

  private static ISequences<Connection> claim(IAppStorage application) {
    return Sequences.open(application, "guide", Connection.class);
  }

  @Test
  @Tag("Q-7")
  @Tag("I18")
  void rowIds_areDurableWithTheirRows_andNeverComeTwice() throws SQLException {
    try (IAppStorage application = open();
        Connection setup = connect()) {
      try (Statement statement = setup.createStatement()) {
        statement.execute("DROP TABLE IF EXISTS note");
        statement.execute("CREATE TABLE note (row_id bigint NOT NULL, text text NOT NULL)");
        setup.commit();
      }
      ISequence<Connection> rowIds = rowIds(claim(application), "note");
      long first;
      long higher;
      try (Connection one = connect();
          Connection two = connect()) {
        first = insert(one, rowIds, "first");
        higher = insert(two, rowIds, "overlaps the first, commits before it");
        two.commit();
        one.commit();
      }
      try (Connection lost = connect()) {
        insert(lost, rowIds, "rolled back");
        lost.rollback();
      }
      assertThat(higher).isGreaterThan(first);

      // The process ends without closing anything; another one starts.
      ISequence<Connection> recovered = rowIds(claim(application), "note");
      assertThat(recovered.state().version()).as("what is durable").isEqualTo(2);
      try (Connection after = connect()) {
        insert(after, recovered, "after a restart");
        after.commit();
      }
      assertThat(stored(setup)).doesNotHaveDuplicates().hasSize(3).contains(first, higher);
    }
  }

  private static List<Long> stored(Connection connection) throws SQLException {
    List<Long> ids = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT row_id FROM note")) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
      }
    }
    return ids;
  }
}
