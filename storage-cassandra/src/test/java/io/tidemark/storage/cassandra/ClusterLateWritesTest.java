package io.tidemark.storage.cassandra;

import static io.tidemark.storage.cassandra.Fixture.event;
import static io.tidemark.storage.cassandra.Fixture.group;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.testservers.CassandraServer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writes that arrive after their owner gave up on them. */
@Tag("chaos")
class ClusterLateWritesTest {
  private static final int BUCKET_EVENTS = 50;
  private static final Duration HINTS = Duration.ofSeconds(2);
  private static final int HINT_ROUNDS = 60;

  private final Cluster cluster = Cluster.shared();

  @AfterEach
  void calm() {
    cluster.calm();
  }

  private static List<PLogEvent> plog(ILogReader reader) {
    return Cluster.eventually("read the log", () -> Fixture.plog(reader));
  }

  private static void settle(IPartitionStorage handle) {
    Cluster.eventually(
        "settle",
        () -> {
          handle.settle();
          return true;
        });
  }

  /** Two nodes are paused, so what was sent to them is done when they go on. */
  @Test
  @Tag("F-2")
  @Tag("F-9")
  void append_thatLandsAfterItsTimeout_isDecidedBySettleForGood() {
    for (TrustLevel level : List.of(TrustLevel.LEVEL_0, TrustLevel.LEVEL_2)) {
      CassandraAppStorage app = cluster.open(level, 1, BUCKET_EVENTS);
      WriteMode mode = level.events();
      IPartitionStorage handle = Cluster.eventually("claim", () -> app.claim(0, "owner"));
      List<PLogEvent> expected = new ArrayList<>(List.of(event(1)));
      Cluster.eventually(
          "append",
          () -> {
            handle.append(expected, mode);
            return true;
          });
      for (int round = 0; round < 4; round++) {
        PLogEvent late = event(expected.size() + 1);
        List<CassandraServer> paused = cluster.nodes().subList(1, 3);
        paused.forEach(CassandraServer::pause);
        try {
          assertThatThrownBy(() -> handle.append(List.of(late), mode))
              .as("%s, two of three nodes paused", level)
              .isInstanceOf(OutcomeUnknownException.class);
        } finally {
          paused.forEach(CassandraServer::resume);
        }
        settle(handle);
        List<PLogEvent> settled = plog(handle);
        if (settled.size() > expected.size()) {
          expected.add(late);
        }
        assertThat(settled).as("%s: it is in, or it is out", level).isEqualTo(expected);
        PLogEvent next = event(expected.size() + 1);
        Cluster.eventually(
            "append behind the settle",
            () -> {
              handle.append(List.of(next), mode);
              return true;
            });
        expected.add(next);
        Cluster.await(new CountDownLatch(1), HINTS);
        assertThat(plog(app.reader(0))).as("%s: and so it stays", level).isEqualTo(expected);
      }
    }
  }

  /**
   * A put reaches one node alone, which keeps hints for the others, which are down. Its owner, who
   * got no answer, settles while that node sleeps and never hears of it. Then it wakes and
   * delivers.
   */
  @Test
  @Tag("F-12")
  void hintedPut_deliveredAfterItsOwnerSettled_isNotInTheLog() {
    CassandraAppStorage app = cluster.open(TrustLevel.LEVEL_2, 1, BUCKET_EVENTS);
    IPartitionStorage handle = Cluster.eventually("claim", () -> app.claim(0, "owner"));
    List<PLogEvent> expected = new ArrayList<>(List.of(event(1)));
    Cluster.eventually(
        "append",
        () -> {
          handle.append(expected, WriteMode.PUT);
          return true;
        });
    Epoch old = handle.epoch();
    CassandraServer holder = cluster.nodes().get(0);
    List<CassandraServer> others = cluster.nodes().subList(1, 3);

    others.forEach(CassandraServer::kill9);
    putThrough(holder, app, old, group(2, 4));
    holder.pause();
    try {
      others.forEach(CassandraServer::startAgain);
      settle(handle);
      assertThat(Cluster.eventually("read the log end", handle::logEnd))
          .as("the log end, while the one node that has the rows sleeps")
          .isOne();
    } finally {
      holder.resume();
    }
    cluster.calm();
    awaitHints(app);

    assertThat(plog(handle)).as("after every replica has the late rows").isEqualTo(expected);
    assertThat(plog(app.reader(0))).isEqualTo(expected);
    PLogEvent next = event(2);
    Cluster.eventually(
        "append",
        () -> {
          handle.append(List.of(next), WriteMode.PUT);
          return true;
        });
    expected.add(next);
    IPartitionStorage second = Cluster.eventually("claim", () -> app.claim(0, "second"));
    assertThat(plog(second)).as("as the next owner finds it").isEqualTo(expected);
  }

  private void putThrough(
      CassandraServer server, CassandraAppStorage app, Epoch epoch, List<PLogEvent> group) {
    Node node =
        cluster.session().getMetadata().getNodes().values().stream()
            .filter(each -> each.getEndPoint().resolve().equals(server.address()))
            .findFirst()
            .orElseThrow();
    BatchStatementBuilder batch =
        BatchStatement.builder(DefaultBatchType.UNLOGGED)
            .setNode(node)
            .setConsistencyLevel(ConsistencyLevel.ONE);
    for (PLogEvent event : group) {
      batch.addStatement(
          SimpleStatement.newInstance(
              "INSERT INTO "
                  + Cluster.KEYSPACE
                  + ".plog_puts (application, partition, bucket, offset, epoch, event)"
                  + " VALUES (?, 0, 0, ?, ?, ?) USING TIMESTAMP "
                  + PutLog.timestamp(epoch.number(), 1),
              app.application(),
              event.offset(),
              epoch.number(),
              ByteBuffer.wrap(event.toBytes())));
    }
    Cluster.eventually("put through one node", () -> cluster.session().execute(batch.build()));
  }

  /** Waits until each node has the first late row, or time has been given for it. */
  private void awaitHints(CassandraAppStorage app) {
    for (int round = 0; round < HINT_ROUNDS; round++) {
      int found = 0;
      for (Node node : cluster.session().getMetadata().getNodes().values()) {
        Row row =
            Cluster.eventually(
                "read one replica",
                () ->
                    cluster
                        .session()
                        .execute(
                            SimpleStatement.newInstance(
                                    "SELECT count(*) AS rows FROM "
                                        + Cluster.KEYSPACE
                                        + ".plog_puts WHERE application = ? AND partition = 0"
                                        + " AND bucket = 0",
                                    app.application())
                                .setConsistencyLevel(ConsistencyLevel.ONE)
                                .setNode(node))
                        .one());
        found += row.getLong("rows") > 1 ? 1 : 0;
      }
      if (found == cluster.nodes().size()) {
        return;
      }
      Cluster.await(new CountDownLatch(1), HINTS);
    }
    throw new AssertionError("no hint was delivered to every node");
  }
}
