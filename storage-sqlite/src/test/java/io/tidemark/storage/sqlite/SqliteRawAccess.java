package io.tidemark.storage.sqlite;

import io.tidemark.tck.RawAccess;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Plain JDBC on the storage's file. */
final class SqliteRawAccess implements RawAccess {
  private static final String APP = "(SELECT id FROM tidemark_application WHERE name = ?)";
  private static final String GENERATION =
      "(SELECT generation FROM tidemark_partition WHERE app = " + APP + " AND part = ?)";

  private final Path file;

  SqliteRawAccess(Path file) {
    this.file = file;
  }

  @Override
  public void putPLog(String application, int partition, long offset, byte[] stored) {
    String put = "INSERT OR REPLACE INTO tidemark_plog VALUES (" + APP + ", ?, ?, ?)";
    run(put, application, partition, offset, stored);
  }

  @Override
  public void removePLog(String application, int partition, long offset) {
    String remove =
        "DELETE FROM tidemark_plog WHERE app = " + APP + " AND part = ? AND plog_offset = ?";
    run(remove, application, partition, offset);
  }

  @Override
  public void putWLog(
      String application,
      int partition,
      long wsid,
      long wlogOffset,
      long plogOffset,
      byte[] payload) {
    putRow("tidemark_wlog", application, partition, wsid, wlogOffset, plogOffset, payload);
  }

  @Override
  public void removeWLog(String application, int partition, long wsid, long wlogOffset) {
    removeRow("tidemark_wlog", application, partition, wsid, wlogOffset);
  }

  @Override
  public void putRecord(
      String application, int partition, long wsid, long recordId, long plogOffset, byte[] data) {
    putRow("tidemark_record", application, partition, wsid, recordId, plogOffset, data);
  }

  @Override
  public void removeRecord(String application, int partition, long wsid, long recordId) {
    removeRow("tidemark_record", application, partition, wsid, recordId);
  }

  private void putRow(String table, Object... values) {
    run("INSERT OR REPLACE INTO " + table + " VALUES (" + APP + ", ?, ?, ?, ?, ?)", values);
  }

  private void removeRow(String table, Object... key) {
    run(
        "DELETE FROM " + table + " WHERE app = " + APP + " AND part = ? AND wsid = ? AND id = ?",
        key);
  }

  @Override
  public void putNumber(String application, int partition, long wsid, int seqId, long number) {
    run(
        "INSERT OR REPLACE INTO tidemark_number VALUES ("
            + APP
            + ", ?, "
            + GENERATION
            + ", ?, ?, ?)",
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
        "INSERT OR REPLACE INTO tidemark_generation VALUES (" + APP + ", ?, " + GENERATION + ", ?)",
        application,
        partition,
        application,
        partition,
        nextOffset);
  }

  private void run(String sql, Object... arguments) {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }
}
