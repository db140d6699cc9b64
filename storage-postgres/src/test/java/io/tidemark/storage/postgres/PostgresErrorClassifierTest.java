package io.tidemark.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("F-1")
@Tag("F-2")
@Tag("F-4")
final class PostgresErrorClassifierTest {

  /** U = unavailable (nothing written), ? = unknown, C = corrupted; one letter per phase. */
  @ParameterizedTest(name = "{0} {6}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # state | connect | read | write | in transaction | commit | what it is
          08000   | U | U | ? | U | ? | connection exception
          08001   | U | U | ? | U | ? | cannot connect
          08003   | U | U | ? | U | ? | the connection is closed
          08004   | U | U | ? | U | ? | connection rejected
          08006   | U | U | ? | U | ? | connection lost while waiting for the reply
          08007   | U | U | ? | U | ? | transaction resolution unknown
          08P01   | U | U | ? | U | ? | protocol violation
          57P01   | U | U | ? | U | ? | terminated by an administrator
          57P02   | U | U | ? | U | ? | the server crashed
          57P03   | U | U | ? | U | ? | the server is starting up
          57P04   | U | U | ? | U | ? | the database was dropped
          57P05   | U | U | ? | U | ? | idle session timeout
          40003   | U | U | ? | U | ? | statement completion unknown
          58000   | U | U | ? | U | ? | system error
          58030   | U | U | ? | U | ? | I/O error of the server
          XX000   | U | U | ? | U | ? | internal error
          F0000   | U | U | ? | U | ? | configuration file error
          99999   | U | U | ? | U | ? | a state nobody knows
          XX001   | C | C | C | C | C | data corrupted
          XX002   | C | C | C | C | C | index corrupted
          40001   | U | U | U | U | U | serialization failure
          40P01   | U | U | U | U | U | deadlock
          40000   | U | U | U | U | U | rolled back
          23505   | U | U | U | U | U | unique violation
          23502   | U | U | U | U | U | not null violation
          22012   | U | U | U | U | U | our own refusal
          22021   | U | U | U | U | U | character not in repertoire
          25006   | U | U | U | U | U | read-only transaction
          25P02   | U | U | U | U | U | transaction is aborted
          26000   | U | U | U | U | U | prepared statement is gone
          28P01   | U | U | U | U | U | wrong password
          28000   | U | U | U | U | U | user refused
          3D000   | U | U | U | U | U | no such database
          3F000   | U | U | U | U | U | no such schema
          42P01   | U | U | U | U | U | no such table
          42501   | U | U | U | U | U | no privilege
          42601   | U | U | U | U | U | syntax error
          53100   | U | U | U | U | U | disk full
          53200   | U | U | U | U | U | out of memory
          53300   | U | U | U | U | U | too many connections
          54000   | U | U | U | U | U | program limit exceeded
          55P03   | U | U | U | U | U | lock not available
          55006   | U | U | U | U | U | object in use
          57014   | U | U | U | U | U | query canceled
          0A000   | U | U | U | U | U | feature not supported
          P0001   | U | U | U | U | U | raised by a trigger
          """)
  void classify_byStateAndPhase(
      String state,
      char connect,
      char read,
      char write,
      char inTransaction,
      char commit,
      String what) {
    SQLException failure = new SQLException(what, state);
    assertThat(letter(failure, Phase.CONNECT)).isEqualTo(connect);
    assertThat(letter(failure, Phase.READ)).isEqualTo(read);
    assertThat(letter(failure, Phase.WRITE)).isEqualTo(write);
    assertThat(letter(failure, Phase.IN_TRANSACTION)).isEqualTo(inTransaction);
    assertThat(letter(failure, Phase.COMMIT)).isEqualTo(commit);
  }

  private static char letter(SQLException failure, Phase phase) {
    StorageException sorted = PostgresErrorClassifier.classify("append", failure, phase);
    assertThat(sorted).hasCause(failure);
    if (sorted instanceof StorageUnavailableException) {
      return 'U';
    }
    return sorted instanceof OutcomeUnknownException
        ? '?'
        : sorted instanceof StorageCorruptedException ? 'C' : '!';
  }

  @Test
  void classify_withoutAState_isUnknownWhereItMayBeWritten() {
    SQLException failure = new SQLException("no answer", new IOException("reset"));
    assertThat(letter(failure, Phase.WRITE)).isEqualTo('?');
    assertThat(letter(failure, Phase.COMMIT)).isEqualTo('?');
    assertThat(letter(failure, Phase.CONNECT)).isEqualTo('U');
    assertThat(letter(failure, Phase.READ)).isEqualTo('U');
  }

  @Test
  void classify_whatThePoolWrapped_findsTheServersState() {
    SQLException wrapped =
        new SQLTransientConnectionException("timed out", new SQLException("FATAL", "28P01"));
    assertThat(PostgresErrorClassifier.classify("open", wrapped, Phase.CONNECT))
        .hasMessageContaining("28P01")
        .hasMessageContaining("refuses this user or password");
  }
}
