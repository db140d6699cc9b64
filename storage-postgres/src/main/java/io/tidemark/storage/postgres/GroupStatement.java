package io.tidemark.storage.postgres;

import io.tidemark.spi.Epoch;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Writes a group in one statement, which commits by itself. */
final class GroupStatement {
  /** What came of it. */
  enum Answer {
    /** All of it is written. */
    WRITTEN,
    /** The epoch, or the predecessor, was not there; nothing is written. */
    NOT_OWNED,
    /** A row stood at one of the keys; nothing is written. */
    OCCUPIED
  }

  private final Database database;
  private final Map<GroupShape, String> texts = new ConcurrentHashMap<>();

  GroupStatement(Database database) {
    this.database = database;
  }

  Answer run(String what, PartitionKey key, Epoch epoch, Group group, boolean tolerant) {
    return execute(what, key, epoch, group, GroupShape.of(group, true, tolerant));
  }

  Answer runUnguarded(String what, PartitionKey key, Group group, boolean tolerant) {
    return execute(what, key, Epoch.NONE, group, GroupShape.of(group, false, tolerant));
  }

  private Answer execute(
      String what, PartitionKey key, Epoch epoch, Group group, GroupShape shape) {
    String text = texts.computeIfAbsent(shape, s -> database.sql(s.sql()));
    return database.write(
        what,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(text)) {
            bind(statement, key, epoch, group, shape);
            boolean written = shape.countsRows() ? statement.executeUpdate() > 0 : found(statement);
            Database.requireNoWarning(what, statement);
            return written ? Answer.WRITTEN : Answer.NOT_OWNED;
          } catch (SQLException e) {
            String state = PostgresErrorClassifier.state(e);
            if (PostgresErrorClassifier.UNIQUE_VIOLATION.equals(state)
                || PostgresErrorClassifier.REFUSED.equals(state)) {
              return Answer.OCCUPIED;
            }
            throw e;
          }
        });
  }

  private static boolean found(PreparedStatement statement) throws SQLException {
    try (ResultSet answer = statement.executeQuery()) {
      return answer.next() && answer.getLong(1) == 1;
    }
  }

  private static void bind(
      PreparedStatement to, PartitionKey key, Epoch epoch, Group group, GroupShape shape)
      throws SQLException {
    Binder binder = new Binder(to);
    binder.number(key.app()).number(key.partition());
    if (shape.guarded()) {
      long before = group.first() - 1;
      binder.bigint(epoch.number()).object(epoch.claimId()).bigint(before).bigint(before);
    }
    records(binder, group.updatedRecords());
    events(binder, group.events());
    records(binder, group.newRecords());
    wlog(binder, group.wlog());
    if (shape.countsEvents()) {
      binder.bigint(group.events().size());
    }
    if (shape.countsNewRecords()) {
      binder.bigint(group.newRecords().size());
    }
    if (shape.countsWLog()) {
      binder.bigint(group.wlog().size());
    }
  }

  private static void events(Binder binder, List<PLogEvent> events) throws SQLException {
    if (events.size() == 1) {
      binder.bigint(events.get(0).offset()).bytes(events.get(0).toBytes());
    } else if (!events.isEmpty()) {
      binder.bigints(events, PLogEvent::offset).byteArrays(events, PLogEvent::toBytes);
    }
  }

  private static void records(Binder binder, List<RecordRow> rows) throws SQLException {
    if (rows.size() == 1) {
      RecordRow row = rows.get(0);
      binder.bigint(row.wsid()).bigint(row.recordId()).bigint(row.plogOffset()).bytes(row.data());
    } else if (!rows.isEmpty()) {
      binder
          .bigints(rows, RecordRow::wsid)
          .bigints(rows, RecordRow::recordId)
          .bigints(rows, RecordRow::plogOffset)
          .byteArrays(rows, RecordRow::data);
    }
  }

  private static void wlog(Binder binder, List<WLogRow> rows) throws SQLException {
    if (rows.size() == 1) {
      WLogRow row = rows.get(0);
      binder
          .bigint(row.wsid())
          .bigint(row.wlogOffset())
          .bigint(row.plogOffset())
          .bytes(row.payload());
    } else if (!rows.isEmpty()) {
      binder
          .bigints(rows, WLogRow::wsid)
          .bigints(rows, WLogRow::wlogOffset)
          .bigints(rows, WLogRow::plogOffset)
          .byteArrays(rows, WLogRow::payload);
    }
  }
}
