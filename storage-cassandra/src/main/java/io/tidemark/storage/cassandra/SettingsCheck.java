package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Refuses clusters on which the rules cannot hold. */
final class SettingsCheck {
  static final Set<String> BARRED =
      Set.of("minimum_timestamp_fail_threshold", "maximum_timestamp_fail_threshold");
  static final String OWN_STAMPS = "user_timestamps_enabled";
  static final String PAXOS = "paxos_variant";
  private static final System.Logger LOG = System.getLogger(SettingsCheck.class.getName());

  private SettingsCheck() {}

  /**
   * Looks at every node that answers: each has settings of its own.
   *
   * @return the sizes that all of them take
   */
  static WriteSizes requireSafeNodes(CqlSession session) {
    WriteSizes sizes = WriteSizes.USUAL;
    for (Node node : session.getMetadata().getNodes().values()) {
      try {
        Map<String, String> settings = settings(session, node);
        requireSafe(String.valueOf(node), settings);
        sizes = sizes.and(WriteSizes.of(settings));
      } catch (UnauthorizedException e) {
        // Without permissions of its own a user is not let in here, and the check must not pass.
        throw new IllegalArgumentException(
            "the settings of the nodes must be read; let a superuser 'GRANT SELECT ON TABLE"
                + " system_views.settings' to this user",
            e);
      } catch (DriverException e) {
        // A node that is down cannot be asked, and a majority is enough to open.
        LOG.log(System.Logger.Level.DEBUG, "could not read the settings of " + node, e);
      }
    }
    return sizes;
  }

  /** All settings of a node; "null" for one that is not set. */
  static Map<String, String> settings(CqlSession session, Node node) {
    Map<String, String> settings = new TreeMap<>();
    String query = "SELECT name, value FROM system_views.settings";
    for (Row row : session.execute(SimpleStatement.newInstance(query).setNode(node))) {
      settings.put(String.valueOf(row.getString("name")), String.valueOf(row.getString("value")));
    }
    return settings;
  }

  static void requireSafe(String node, Map<String, String> settings) {
    for (String name : BARRED) {
      String value = settings.getOrDefault(name, "null");
      if (!value.isEmpty() && !value.equals("null")) {
        throw unsafe(node, name, value, "it would refuse our time stamps, which are no times");
      }
    }
    if (settings.getOrDefault(OWN_STAMPS, "true").equals("false")) {
      throw unsafe(node, OWN_STAMPS, "false", "time stamps of our own say which write wins");
    }
    String paxos = settings.getOrDefault(PAXOS, "");
    if (paxos.contains("without_linearizable")) {
      throw unsafe(node, PAXOS, paxos, "reads would miss conditional writes under way");
    }
  }

  private static IllegalArgumentException unsafe(
      String node, String name, String value, String reason) {
    return new IllegalArgumentException(
        "node %s sets %s to %s: %s; unset it".formatted(node, name, value, reason));
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
            "SELECT replication, durable_writes FROM system_schema.keyspaces WHERE keyspace_name = ?",
            config.keyspace())) {
      if (!row.getBoolean("durable_writes")) {
        throw new IllegalArgumentException(
            "keyspace %s has durable_writes = false: a node that ends loses what it acknowledged; set it to true"
                .formatted(config.keyspace()));
      }
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
