package io.tidemark.storage.cassandra;

import static io.tidemark.storage.cassandra.Fixture.created;
import static io.tidemark.storage.cassandra.Fixture.event;
import static io.tidemark.storage.cassandra.Fixture.updated;
import static io.tidemark.storage.cassandra.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.testservers.CassandraServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two clients whose clocks are two hours apart take turns, while one node after the other stops.
 */
@Tag("chaos")
@Tag("I19")
class ClusterClockSkewTest {
  private static final int TURNS = 6;
  private static final int BUCKET_EVENTS = 2;
  private static final Duration SKEW = Duration.ofHours(1);
  private static final Duration HINTS = Duration.ofSeconds(5);

  private final Cluster cluster = Cluster.shared();

  @AfterEach
  void calm() {
    cluster.calm();
  }

  @Test
  void owners_withClocksApart_seeEachOthersWritesOnThreeNodes() {
    cluster.calm();
    try (CqlSession ahead = session(SKEW);
        CqlSession behind = session(SKEW.negated())) {
      for (TrustLevel level : TrustLevel.values()) {
        String name = "app" + UUID.randomUUID();
        Layout layout = new Layout(1, BUCKET_EVENTS, 4, level);
        takeTurns(open(ahead, name, layout), open(behind, name, layout), level);
      }
    }
  }

  private CqlSession session(Duration skew) {
    return Cluster.eventually("connect", () -> SkewedClock.session(cluster.config(), skew));
  }

  private IAppStorage open(CqlSession session, String name, Layout layout) {
    return Cluster.eventually(
        "open " + name, () -> CassandraStorageDriver.open(session, cluster.config(), name, layout));
  }

  private void takeTurns(IAppStorage first, IAppStorage second, TrustLevel level) {
    List<PLogEvent> expected = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      CassandraServer stopped = cluster.nodes().get(turn % cluster.nodes().size());
      stopped.pause();
      try {
        write(turn % 2 == 0 ? first : second, level, expected);
      } finally {
        stopped.resume();
      }
      check(first, expected, level);
      check(second, expected, level);
    }
    Cluster.await(new CountDownLatch(1), HINTS);
    check(first, expected, level);
    check(second, expected, level);
  }

  /** Each write again after a timeout: what is there already finds itself. */
  private static void write(IAppStorage app, TrustLevel level, List<PLogEvent> expected) {
    IPartitionStorage owner = Cluster.eventually("claim", () -> app.claim(0, "of this turn"));
    assertThat(log(owner)).as("the log as the next owner finds it").isEqualTo(expected);
    long offset = expected.size() + 1L;
    PLogEvent event = event(offset);
    written("append", () -> owner.append(List.of(event), level.events()));
    expected.add(event);
    written(
        "append to the WLog",
        () -> owner.appendWLog(List.of(wlog(offset, offset, "row " + offset)), level.events()));
    written(
        "put records",
        () ->
            owner.putRecords(
                List.of(created(100 + offset, offset, "new"), updated(1, offset, "of " + offset)),
                level.newRecords()));
    written("write numbers", () -> owner.writeValuesAndOffset(Fixture.values(offset), offset + 1));
  }

  private static void written(String what, Runnable write) {
    Cluster.eventually(
        what,
        () -> {
          write.run();
          return true;
        });
  }

  private static List<PLogEvent> log(ILogReader reader) {
    return Cluster.eventually("read the log", () -> Fixture.plog(reader));
  }

  private static void check(IAppStorage app, List<PLogEvent> expected, TrustLevel level) {
    IPartitionReader reader = app.reader(0);
    long offset = expected.size();
    assertThat(log(reader)).as("the log at %s", level).isEqualTo(expected);
    assertThat(Cluster.eventually("read the WLog", () -> Fixture.wlog(reader, Fixture.WS)))
        .hasSize((int) offset);
    assertThat(Cluster.eventually("read a record", () -> reader.readRecord(Fixture.WS, 1)))
        .isEqualTo(updated(1, offset, "of " + offset));
    assertThat(
            Cluster.eventually(
                "read numbers", () -> reader.readNumbers(Fixture.WS, new int[] {Fixture.SEQ})))
        .containsExactly(offset);
    assertThat(Cluster.eventually("read the next offset", reader::readNextPLogOffset))
        .isEqualTo(offset + 1);
  }
}
