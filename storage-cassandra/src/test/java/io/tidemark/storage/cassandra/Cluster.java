package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.tidemark.api.StorageException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.testservers.CassandraCluster;
import io.tidemark.testservers.CassandraServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Three nodes and a session, for all tests of the profile. */
final class Cluster {
  static final String KEYSPACE = "tidemark_chaos";

  private static final Duration SERVER_PATIENCE = Duration.ofMillis(1500);
  private static final Duration CLIENT_PATIENCE = Duration.ofSeconds(4);
  private static final Duration RECOVERY = Duration.ofMinutes(4);

  private static Cluster shared;

  private final CassandraCluster servers;
  private final CqlSession session;

  private Cluster(CassandraCluster servers) {
    this.servers = servers;
    this.session = eventually("connect", () -> Sessions.open(config()));
  }

  static synchronized Cluster shared() {
    if (shared == null) {
      shared = new Cluster(CassandraCluster.start(SERVER_PATIENCE));
      // The schema needs more time than a request of the tests.
      Supplier<IAppStorage> first = () -> shared.open("first", TrustLevel.LEVEL_0, 1);
      eventually("create the schema", first).close();
    }
    return shared;
  }

  CassandraStorageConfig config() {
    return config(KEYSPACE);
  }

  CassandraStorageConfig config(String keyspace) {
    return CassandraStorageConfig.builder(CassandraServer.DATA_CENTRE, keyspace)
        .contactPoints(nodes().stream().map(CassandraServer::address).toList())
        .replication(Map.of(CassandraServer.DATA_CENTRE, 3))
        .requestTimeout(CLIENT_PATIENCE)
        .build();
  }

  List<CassandraServer> nodes() {
    return servers.nodes();
  }

  CqlSession session() {
    return session;
  }

  CassandraAppStorage open(TrustLevel level, int partitions, int bucketEvents) {
    return open("app" + UUID.randomUUID(), level, partitions, bucketEvents);
  }

  private IAppStorage open(String application, TrustLevel level, int partitions) {
    return open(application, level, partitions, 20);
  }

  private CassandraAppStorage open(
      String application, TrustLevel level, int partitions, int bucketEvents) {
    Layout layout = new Layout(partitions, bucketEvents, 4, level);
    return eventually(
        "open " + application,
        () ->
            (CassandraAppStorage)
                CassandraStorageDriver.open(session, config(), application, layout));
  }

  /** Tries until it succeeds: faults have stopped, and the cluster finds itself again. */
  static <T> T eventually(String what, Supplier<T> work) {
    long end = System.nanoTime() + RECOVERY.toNanos();
    while (true) {
      try {
        return work.get();
      } catch (StorageException | DriverException e) {
        if (System.nanoTime() - end > 0) {
          throw new AssertionError(what + " did not succeed within " + RECOVERY, e);
        }
        await(new CountDownLatch(1), Duration.ofMillis(200));
      }
    }
  }

  /** Waits for {@code stop}, no longer than {@code patience}; whether it came. */
  static boolean await(CountDownLatch stop, Duration patience) {
    try {
      return stop.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Lets every node run and answer again. */
  void calm() {
    for (CassandraServer node : nodes()) {
      node.resume();
    }
    String anything = "SELECT release_version FROM system.local";
    for (var node : session.getMetadata().getNodes().values()) {
      eventually(
          "reach " + node,
          () -> session.execute(SimpleStatement.newInstance(anything).setNode(node)));
    }
  }
}
