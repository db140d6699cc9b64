package io.tidemark.testservers;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.testcontainers.cassandra.CassandraContainer;

/**
 * Cassandra in a container; its own class, so that nothing of Testcontainers is loaded without an
 * engine. The container ends with this JVM: Testcontainers sees to it.
 */
final class CassandraContainers {
  private static @Nullable CassandraAddress shared;

  private CassandraContainers() {}

  @SuppressWarnings("resource") // lives as long as this JVM
  static synchronized CassandraAddress shared() {
    if (shared == null) {
      CassandraContainer container =
          new CassandraContainer("cassandra:5.0").withEnv("JVM_EXTRA_OPTS", settings());
      container.start();
      shared = new CassandraAddress(container.getContactPoint(), container.getLocalDatacenter());
    }
    return shared;
  }

  /** What {@link CassandraServer} writes into its file; the image has no variables for it. */
  static String settings() {
    Map<String, String> settings = new TreeMap<>(CassandraServer.timeouts(Duration.ofSeconds(30)));
    settings.put("paxos_variant", "v2");
    return settings.entrySet().stream()
        .map(each -> " -Dcassandra.settings." + each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining("", "-Dcassandra.config.allow_system_properties=true", ""));
  }
}
