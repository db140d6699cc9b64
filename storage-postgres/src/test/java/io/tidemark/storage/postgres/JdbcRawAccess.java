package io.tidemark.storage.postgres;

import io.tidemark.tck.RawAccess;
import io.tidemark.testservers.PostgresAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Changes rows behind the storage's back. */
final class JdbcRawAccess implements RawAccess {
  private static final String APP = "(SELECT id FROM tidemark.application WHERE name = ?)";
  private static final String GENERATION =
      "(SELECT p.generation FROM tidemark.partition p JOIN tidemark.application a ON a.id = p.app"
          + " WHERE a.name = ? AND p.partition = ?)";

  private final PostgresAddress server;

  JdbcRawAccess(PostgresAddress server) {
    this.server = server;
  }

  private void run(String sql, Object... parameters) {
    try (Connection connection = server.connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void putPLog(String application, int partition, long offset, byte[] stored) {
    run(
        "INSERT INTO tidemark.plog VALUES ("
            + APP
            + ", ?, ?, ?) ON CONFLICT (app, partition, plog_offset) DO UPDATE"
            + " SET event = excluded.event",
        application,
        partition,
        offset,
        stored);
  }

  @Override
  public void removePLog(String application, int partition, long offset) {
    run(
        "DELETE FROM tidemark.plog WHERE app = " + APP + " AND partition = ? AND plog_offset = ?",
        application,
        partition,
        offset);
  }

  @Override
  public void putWLog(
      String application,
      int partition,
      long wsid,
      long wlogOffset,
      long plogOffset,
      byte[] payload) {
    run(
        "INSERT INTO tidemark.wlog VALUES ("
            + APP
            + ", ?, ?, ?, ?, ?) ON CONFLICT (app, partition, wsid, wlog_offset) DO UPDATE"
            + " SET plog_offset = excluded.plog_offset, payload = excluded.payload",
        application,
        partition,
        wsid,
        wlogOffset,
        plogOffset,
        payload);
  }

  @Override
  public void removeWLog(String application, int partition, long wsid, long wlogOffset) {
    run(
        "DELETE FROM tidemark.wlog WHERE app = "
            + APP
            + " AND partition = ? AND wsid = ? AND wlog_offset = ?",
        application,
        partition,
        wsid,
        wlogOffset);
  }

  @Override
  public void putRecord(
      String application, int partition, long wsid, long recordId, long plogOffset, byte[] data) {
    run(
        "INSERT INTO tidemark.record VALUES ("
            + APP
            + ", ?, ?, ?, ?, ?) ON CONFLICT (app, partition, wsid, record_id) DO UPDATE"
            + " SET plog_offset = excluded.plog_offset, data = excluded.data",
        application,
        partition,
        wsid,
        recordId,
        plogOffset,
        data);
  }

  @Override
  public void removeRecord(String application, int partition, long wsid, long recordId) {
    run(
        "DELETE FROM tidemark.record WHERE app = "
            + APP
            + " AND partition = ? AND wsid = ? AND record_id = ?",
        application,
        partition,
        wsid,
        recordId);
  }

  @Override
  public void putNumber(String application, int partition, long wsid, int seqId, long number) {
    run(
        "INSERT INTO tidemark.seq_data VALUES ("
            + APP
            + ", ?, "
            + GENERATION
            + ", ?, ?, ?) ON CONFLICT (app, partition, generation, wsid, seq_id) DO UPDATE"
            + " SET number = excluded.number",
        application,
        partition,
        application,
        partition,
        wsid,
        seqId,
        number);
  }

  @Override
  public void putNextOffset(String application, int partition, long nextOffset) {
    run(
        "INSERT INTO tidemark.seq_offset VALUES ("
            + APP
            + ", ?, "
            + GENERATION
            + ", ?) ON CONFLICT (app, partition, generation) DO UPDATE"
            + " SET next_offset = excluded.next_offset",
        application,
        partition,
        application,
        partition,
        nextOffset);
  }
}
