package io.tidemark.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes on one file: killed with SIGKILL, and deposed by one another. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class ProcessesTest {
  private static final int KILLS = 50;
  private static final long SEED = Long.getLong("tidemark.kill.seed", 4711);
  private static final Pattern PAYLOAD = Pattern.compile("(\\S+)/(\\d+) (\\d+) (\\d+)");

  @TempDir Path folder;

  @Tag("I1")
  @Tag("I2")
  @Tag("I3")
  @Tag("I4")
  @Tag("I9")
  @Tag("I21")
  @Test
  void worker_killedFiftyTimes_losesNothingAcknowledgedAndRepeatsNoNumber() throws Exception {
    Path file = folder.resolve("killed.db");
    Random random = new Random(SEED);
    List<String> acknowledged = new ArrayList<>();
    WorkerProcess spare = WorkerProcess.start(folder, file, "worker0");
    try {
      for (int kill = 1; kill <= KILLS; kill++) {
        try (WorkerProcess worker = spare) {
          worker.go();
          spare = WorkerProcess.start(folder, file, "worker" + kill);
          for (int commands = random.nextInt(20); commands > 0; commands--) {
            worker.require();
          }
          worker.kill();
          acknowledged.addAll(worker.acknowledged());
        }
        if (file.toFile().exists()) {
          requireWhole(file, acknowledged);
        }
      }
    } finally {
      spare.close();
    }
    assertThat(acknowledged).as("commands of seed %d", SEED).hasSizeGreaterThan(KILLS);
    assertThat(integrity(file)).isEqualTo("ok");
  }

  @Tag("F-11")
  @Tag("F-12")
  @Tag("I11")
  @Test
  void worker_deposedByAnother_endsFencedAndTheLogIsWhole() throws Exception {
    Path file = folder.resolve("deposed.db");
    try (WorkerProcess first = WorkerProcess.start(folder, file, "first");
        WorkerProcess second = WorkerProcess.start(folder, file, "second")) {
      first.go();
      for (int i = 0; i < 5; i++) {
        first.require();
      }
      second.go();
      for (int i = 0; i < 5; i++) {
        second.require();
      }
      while (first.next() != null) {}
      assertThat(first.exitValue()).as("of the worker that was fenced").isZero();
      second.kill();
      List<String> acknowledged = new ArrayList<>(first.acknowledged());
      acknowledged.addAll(second.acknowledged());
      requireWhole(file, acknowledged);
    }
  }

  /** Every acknowledged command is in the log, and everything else follows from the log. */
  private static void requireWhole(Path file, List<String> acknowledged) {
    try (IAppStorage app =
        SqliteStorageDriver.open(SqliteStorageConfig.of(file, Fixture.APP), Layout.of(1))) {
      IPartitionReader reader = app.reader(0);
      Set<String> logged = new HashSet<>();
      Set<String> expectedRows = new HashSet<>();
      Map<Long, Long> lastNumbers = new HashMap<>();
      for (PLogEvent event : Fixture.plog(reader)) {
        String payload = new String(event.payload(), StandardCharsets.UTF_8);
        logged.add(event.offset() + " " + payload);
        Matcher matcher = PAYLOAD.matcher(payload);
        assertThat(matcher.matches()).as(payload).isTrue();
        long wsid = event.header().wsid();
        long first = Long.parseLong(matcher.group(3));
        long last = first + Long.parseLong(matcher.group(4)) - 1;
        assertThat(first)
            .as("first number of workspace %d at offset %d", wsid, event.offset())
            .isEqualTo(lastNumbers.getOrDefault(wsid, 0L) + 1);
        lastNumbers.put(wsid, last);
        expectedRows.add("w" + wsid + "/" + event.header().wlogOffset() + payload);
        for (long id = first; id <= last; id++) {
          expectedRows.add("r" + wsid + "/" + id + payload);
        }
      }
      assertThat(logged).as("the log, seed %d", SEED).containsAll(acknowledged);
      assertThat(rows(reader)).as("records and WLog rows").isEqualTo(expectedRows);
      assertThat(reader.readNextPLogOffset()).isBetween(1L, reader.logEnd() + 1);
    }
  }

  private static Set<String> rows(IPartitionReader reader) {
    Set<String> rows = new HashSet<>();
    reader.scanRecords(row -> rows.add("r" + row.wsid() + "/" + row.recordId() + text(row.data())));
    reader.scanWLog(
        row -> rows.add("w" + row.wsid() + "/" + row.wlogOffset() + text(row.payload())));
    return rows;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static String integrity(Path file) throws SQLException {
    try (Connection connection =
            SqliteStorageDriver.connect(SqliteStorageConfig.of(file, Fixture.APP));
        Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery("PRAGMA integrity_check")) {
      return answer.getString(1);
    }
  }
}
