package io.tidemark.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.SystemSequences;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the tables after a chaos run, past the storage, and checks what must always hold. */
final class Tables {
  private Tables() {}

  /** The log as the table has it. */
  static List<PLogEvent> log(PostgresServer server, String application, int partition) {
    String query =
        "SELECT plog_offset, event FROM tidemark.plog JOIN tidemark.application a ON a.id = app"
            + " WHERE a.name = ? AND partition = ? ORDER BY plog_offset";
    List<PLogEvent> events = new ArrayList<>();
    try (Connection connection = server.connect("postgres");
        PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, application);
      statement.setInt(2, partition);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          events.add(PLogEvent.fromBytes(rows.getLong(1), rows.getBytes(2)));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return events;
  }

  /** Nothing acknowledged is lost, no number is there twice, nothing has a hole. */
  static void check(
      PostgresServer server, IAppStorage app, int partition, Collection<String> acknowledged) {
    List<PLogEvent> log = log(server, app.application(), partition);
    Set<String> logged = new HashSet<>();
    Map<String, Long> last = new HashMap<>();
    for (int i = 0; i < log.size(); i++) {
      PLogEvent event = log.get(i);
      assertThat(event.offset()).as("offsets have no hole [I4]").isEqualTo(i + 1);
      logged.add(event.offset() + " " + event.header().writeId());
      for (SequenceTouch touch : event.header().touches()) {
        String sequence = event.header().wsid() + "/" + touch.seqId();
        long before = last.getOrDefault(sequence, touch.last() - touch.count());
        assertThat(touch.last())
            .as("%s at offset %d follows without gap or repetition [I1, I2]", sequence, i + 1)
            .isEqualTo(before + touch.count());
        last.put(sequence, touch.last());
      }
    }
    assertThat(logged).as("acknowledged events are in the log [I9]").containsAll(acknowledged);
    checkApplied(app.reader(partition), log);
    checkNumbers(app.reader(partition), log, last);
  }

  /** Records and workspace logs are those of the log, no more and no less [I21]. */
  private static void checkApplied(IPartitionReader reader, List<PLogEvent> log) {
    Map<String, Long> expected = new HashMap<>();
    for (PLogEvent event : log) {
      expected.put(event.header().wsid() + "/" + event.header().wlogOffset(), event.offset());
    }
    Map<String, Long> wlog = new HashMap<>();
    reader.scanWLog(row -> wlog.put(row.wsid() + "/" + row.wlogOffset(), row.plogOffset()) == null);
    assertThat(wlog).isEqualTo(expected);
    List<Long> records = new ArrayList<>();
    reader.scanRecords(row -> records.add(row.plogOffset()));
    assertThat(records).hasSameSizeAs(log).doesNotHaveDuplicates();
  }

  /** Stored numbers never run ahead of the log [I7], and the first of each was the least. */
  private static void checkNumbers(
      IPartitionReader reader, List<PLogEvent> log, Map<String, Long> last) {
    assertThat(reader.readNextPLogOffset()).isLessThanOrEqualTo(log.size() + 1L);
    reader.scanNumbers(
        (wsid, seqId, number) -> {
          if (seqId != SystemSequences.WORKSPACE_KIND) {
            assertThat(number)
                .as("%d/%d is not ahead of the log", wsid, seqId)
                .isLessThanOrEqualTo(last.get(wsid + "/" + seqId));
          }
          return true;
        });
  }
}
