package io.tidemark.storage.cassandra;

import static io.tidemark.storage.cassandra.Fixture.event;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes that open a new keyspace at the same moment, through different nodes. */
@Tag("chaos")
class ClusterSchemaTest {
  private static final int PROCESSES = 3;
  private static final int KEYSPACES = 2;
  private static final int PATIENCE_MINUTES = 5;

  private final Cluster cluster = Cluster.shared();

  @Test
  @Tag("I9")
  void keyspace_openedByManyAtOnce_isOneOnEveryNode() throws Exception {
    cluster.calm();
    ExecutorService threads = Executors.newFixedThreadPool(PROCESSES);
    List<CqlSession> sessions = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        sessions.add(Cluster.eventually("connect", () -> Sessions.open(cluster.config())));
      }
      for (int i = 0; i < KEYSPACES; i++) {
        race("raced_" + i, sessions, threads);
      }
    } finally {
      threads.shutdownNow();
      sessions.forEach(CqlSession::close);
    }
  }

  private void race(String keyspace, List<CqlSession> sessions, ExecutorService threads)
      throws Exception {
    CassandraStorageConfig config = cluster.config(keyspace);
    CyclicBarrier together = new CyclicBarrier(PROCESSES);
    List<UUID> nodes = List.copyOf(cluster.session().getMetadata().getNodes().keySet());
    List<Future<IAppStorage>> opened = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      CqlSession session = sessions.get(i);
      Node node = session.getMetadata().getNodes().get(nodes.get(i));
      opened.add(
          threads.submit(
              () -> {
                create(session, config, node, together);
                return Cluster.eventually(
                    "open " + keyspace,
                    () -> CassandraStorageDriver.open(session, config, "orders", Layout.of(1)));
              }));
    }
    List<PLogEvent> written = new ArrayList<>();
    for (Future<IAppStorage> each : opened) {
      IPartitionStorage owner =
          Cluster.eventually("claim", () -> unchecked(each).claim(0, "one of many"));
      PLogEvent event = event(written.size() + 1);
      Cluster.eventually(
          "append",
          () -> {
            owner.append(List.of(event), WriteMode.INSERT_IF_NOT_EXISTS);
            return true;
          });
      written.add(event);
    }

    Set<Map<String, UUID>> ids = new HashSet<>();
    for (Node node : cluster.session().getMetadata().getNodes().values()) {
      ids.add(Cluster.eventually("read table ids", () -> ids(node, keyspace)));
      assertThat(Cluster.eventually("read all replicas", () -> rows(node, keyspace)))
          .as("rows of every replica, says %s", node)
          .hasSize(PROCESSES);
    }
    assertThat(ids).as("table ids of %s, as the nodes see them", keyspace).hasSize(1);
    assertThat(ids.iterator().next().keySet()).containsAll(Schema.names());
    assertThat(Cluster.eventually("read", () -> Fixture.plog(unchecked(opened.get(0)).reader(0))))
        .isEqualTo(written);
  }

  /** As the storage does it, but each table at the same instant as the others, on its own node. */
  private static void create(
      CqlSession session, CassandraStorageConfig config, Node node, CyclicBarrier together)
      throws Exception {
    together.await(PATIENCE_MINUTES, TimeUnit.MINUTES);
    SchemaCreation creation = new SchemaCreation(session, config);
    for (String table : Cluster.eventually("agree on ids", creation::tables)) {
      together.await(PATIENCE_MINUTES, TimeUnit.MINUTES);
      SimpleStatement statement = SimpleStatement.newInstance(table).setNode(node);
      Cluster.eventually("create a table", () -> session.execute(statement));
    }
  }

  private static IAppStorage unchecked(Future<IAppStorage> opened) {
    try {
      return opened.get(PATIENCE_MINUTES, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new AssertionError("a process could not open the keyspace", e);
    }
  }

  private Map<String, UUID> ids(Node node, String keyspace) {
    Map<String, UUID> ids = new TreeMap<>();
    String query = "SELECT table_name, id FROM system_schema.tables WHERE keyspace_name = ?";
    cluster
        .session()
        .execute(SimpleStatement.newInstance(query, keyspace).setNode(node))
        .forEach(row -> ids.put(row.getString("table_name"), row.getUuid("id")));
    return ids;
  }

  /** A replica that knows the table by another id cannot answer. */
  private List<Long> rows(Node node, String keyspace) {
    String query =
        "SELECT offset FROM "
            + keyspace
            + ".plog WHERE application = 'orders' AND partition = 0 AND bucket = 0";
    return cluster
        .session()
        .execute(
            SimpleStatement.newInstance(query)
                .setConsistencyLevel(ConsistencyLevel.ALL)
                .setNode(node))
        .map(row -> row.getLong("offset"))
        .all();
  }
}
