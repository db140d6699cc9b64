package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.Database;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.foundationdb.simulated.SimulatedCluster;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the tests run on: the cluster that the environment variable FDB_CLUSTER_FILE names, or the
 * simulation. Each run writes under a prefix of its own.
 */
final class TestCluster {
  static final String VARIABLE = "FDB_CLUSTER_FILE";
  private static final @Nullable String CLUSTER_FILE = System.getenv(VARIABLE);
  private static @Nullable Database real;

  static {
    // Standard output, not a log: whoever reads a green run must see what it ran on.
    System.out.println("FoundationDB tests run on " + description());
  }

  private final Database database;
  private final @Nullable SimulatedCluster simulated;
  private final FoundationDbStorageConfig config;

  private TestCluster(
      Database database, @Nullable SimulatedCluster simulated, FoundationDbStorageConfig config) {
    this.database = database;
    this.simulated = simulated;
    this.config = config;
  }

  static boolean isSimulated() {
    return CLUSTER_FILE == null;
  }

  static String description() {
    return CLUSTER_FILE == null
        ? "the SIMULATED client, because " + VARIABLE + " is not set"
        : "the REAL cluster of " + CLUSTER_FILE;
  }

  private static FoundationDbStorageConfig freshConfig() {
    return FoundationDbStorageConfig.builder().prefix("test-" + UUID.randomUUID()).build();
  }

  /** The real cluster if there is one, else a simulated one. */
  static TestCluster start() {
    return CLUSTER_FILE == null
        ? simulated(new SimulatedCluster())
        : new TestCluster(real(CLUSTER_FILE), null, freshConfig());
  }

  /** Not opened with the class: each test then fails with the message that says what is missing. */
  private static synchronized Database real(String clusterFile) {
    Database opened = real;
    if (opened == null) {
      opened = NativeClient.open(Path.of(clusterFile));
      real = opened;
    }
    return opened;
  }

  /** A simulated cluster also where there is a real one: for tests that inject faults. */
  static TestCluster simulated(SimulatedCluster cluster) {
    return new TestCluster(cluster.connect(), cluster, freshConfig());
  }

  static TestCluster simulated(SimulatedCluster cluster, FoundationDbStorageConfig config) {
    return new TestCluster(cluster.connect(), cluster, config);
  }

  Database database() {
    return database;
  }

  FoundationDbStorageConfig config() {
    return config;
  }

  IAppStorage open(String application, @Nullable Layout layout) {
    if (simulated == null) {
      return new FoundationDbStorageDriver().open(database, config, application, layout);
    }
    return FoundationDbAppStorage.open(
        database, config, application, layout, simulated::nanoTime, () -> {});
  }

  TestRows rows() {
    return new TestRows(simulated == null ? database : simulated.connectSafely(), config);
  }
}
