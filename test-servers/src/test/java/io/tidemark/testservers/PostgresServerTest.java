package io.tidemark.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PostgresServerTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @ParameterizedTest
  @ValueSource(ints = {18, 15})
  void restart_afterACommit_keepsTheRow(int version) throws SQLException {
    try (PostgresServer server = PostgresServer.started(version, "max_connections=17")) {
      server.createDatabase("shop");
      try (Connection connection = server.connect("shop");
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE t AS SELECT 42 AS answer");
        assertThat(text(statement, "SHOW max_connections")).isEqualTo("17");
        assertThat(text(statement, "SHOW server_version")).startsWith(version + ".");
      }
      long killed = server.pid();
      server.restart(PATIENCE);
      assertThat(server.pid()).isNotEqualTo(killed);
      try (Connection connection = server.connect("shop");
          Statement statement = connection.createStatement()) {
        assertThat(text(statement, "SELECT answer FROM t")).isEqualTo("42");
      }
    }
  }

  private static String text(Statement statement, String query) throws SQLException {
    try (ResultSet answer = statement.executeQuery(query)) {
      assertThat(answer.next()).isTrue();
      return answer.getString(1);
    }
  }
}
