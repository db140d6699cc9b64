package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Refuses clusters on which the rules cannot hold. */
final class SettingsCheck {
  private static final Set<String> BARRED =
      Set.of("minimum_timestamp_fail_threshold", "maximum_timestamp_fail_threshold");
  private static final System.Logger LOG = System.getLogger(SettingsCheck.class.getName());

  private SettingsCheck() {}

  /** Looks at every node that answers: each has settings of its own. */
  static void requireSafeNodes(CqlSession session) {
    for (Node node : session.getMetadata().getNodes().values()) {
      Map<String, String> settings = new TreeMap<>();
      try {
        String query = "SELECT name, value FROM system_views.settings";
        for (Row row : session.execute(SimpleStatement.newInstance(query).setNode(node))) {
          String value = row.getString("value");
          if (value != null) {
            settings.put(String.valueOf(row.getString("name")), value);
          }
        }
      } catch (DriverException e) {
        // A node that is down cannot be asked; it refuses writes loudly if it is set so.
        LOG.log(System.Logger.Level.DEBUG, "could not read the settings of " + node, e);
      }
      requireSafe(String.valueOf(node), settings);
    }
  }

  static void requireSafe(String node, Map<String, String> settings) {
    for (String name : BARRED) {
      String value = settings.getOrDefault(name, "null");
      if (!value.isEmpty() && !value.equals("null")) {
        throw new IllegalArgumentException(
            "node %s sets %s to %s: it would refuse our time stamps, which are numbers and no times; unset it"
                .formatted(node, name, value));
      }
    }
  }

  /** Refuses a majority of one data centre where the keyspace lies in several. */
  static void requireSafeReplication(
      CassandraStorageConfig config, Map<String, String> replication, Set<String> dataCentres) {
    if (config.consistency() != Consistency.LOCAL_QUORUM) {
      return;
    }
    Set<String> replicated = new TreeSet<>(replication.keySet());
    replicated.remove("class");
    if (replicated.remove("replication_factor")) {
      replicated.addAll(dataCentres);
    }
    if (replicated.size() > 1) {
      throw new IllegalArgumentException(
          "consistency local_quorum is safe in one data centre only, keyspace %s lies in %s: use quorum"
              .formatted(config.keyspace(), replicated));
    }
  }

  static void requireSafeKeyspace(CqlSession session, CassandraStorageConfig config) {
    for (Row row :
        Schema.query(
            session,
            "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?",
            config.keyspace())) {
      Map<String, String> replication = row.getMap("replication", String.class, String.class);
      Set<String> dataCentres = new TreeSet<>();
      session
          .getMetadata()
          .getNodes()
          .values()
          .forEach(node -> dataCentres.add(String.valueOf(node.getDatacenter())));
      requireSafeReplication(config, replication == null ? Map.of() : replication, dataCentres);
    }
  }
}
