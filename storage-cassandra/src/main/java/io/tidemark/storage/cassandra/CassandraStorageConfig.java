package io.tidemark.storage.cassandra;

import static java.util.Objects.requireNonNull;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the cluster is and how it is used.
 *
 * @param contactPoints nodes to meet first, unresolved or resolved; may be empty with a session of
 *     your own
 * @param dataCentre the local data centre, as the nodes name it
 * @param keyspace the keyspace; made if it is not there and {@code createSchema} says so
 * @param replication replicas per data centre, for a keyspace that is made; default 3 in the local
 *     one
 * @param consistency how many replicas must answer; default {@link Consistency#QUORUM}
 * @param requestTimeout how long one request may take; default 10 s, more than the server's own
 *     timeouts, so that the server's answer is heard
 * @param createSchema whether a missing keyspace or table is made; default true
 * @param tls whether to connect with TLS and the JVM's default trust store; default false
 * @param user the user's name, or null for none
 * @param password the user's password, or null for none
 */
public record CassandraStorageConfig(
    List<InetSocketAddress> contactPoints,
    String dataCentre,
    String keyspace,
    Map<String, Integer> replication,
    Consistency consistency,
    Duration requestTimeout,
    boolean createSchema,
    boolean tls,
    @Nullable String user,
    @Nullable String password) {
  private static final int DEFAULT_REPLICAS = 3;

  /** Refuses what cannot work. */
  public CassandraStorageConfig {
    contactPoints = List.copyOf(contactPoints);
    requireNonNull(consistency, "consistency");
    if (dataCentre.isBlank()) {
      throw new IllegalArgumentException(
          "dataCentre must name the local data centre, was blank; see 'nodetool status'");
    }
    if (!keyspace.matches("[a-z][a-z0-9_]{0,47}")) {
      throw new IllegalArgumentException(
          "keyspace must be lower-case letters, digits and _, at most 48, was '" + keyspace + "'");
    }
    replication =
        Map.copyOf(
            replication.isEmpty()
                ? Map.of(dataCentre, DEFAULT_REPLICAS)
                : new TreeMap<>(replication));
    replication.forEach(CassandraStorageConfig::requireReplicas);
    if (consistency == Consistency.LOCAL_QUORUM && replication.size() > 1) {
      throw new IllegalArgumentException(
          "consistency local_quorum is safe in one data centre only, replication names "
              + new TreeMap<>(replication).keySet()
              + ": use quorum");
    }
    if (requestTimeout.isNegative() || requestTimeout.isZero()) {
      throw new IllegalArgumentException("requestTimeout must be > 0, was " + requestTimeout);
    }
    if ((user == null) != (password == null)) {
      throw new IllegalArgumentException("user and password are given both or not at all");
    }
  }

  private static void requireReplicas(String dataCentre, int replicas) {
    if (!dataCentre.matches("[A-Za-z0-9_.-]+") || replicas < 1) {
      throw new IllegalArgumentException(
          "replication must name a data centre and at least 1 replica, was "
              + (dataCentre + ":" + replicas));
    }
  }

  /** Begins a config with the defaults. */
  public static Builder builder(String dataCentre, String keyspace) {
    return new Builder(dataCentre, keyspace);
  }

  /** Never shows the password. */
  @Override
  public String toString() {
    return "%s at %s, data centre %s, %s"
        .formatted(keyspace, contactPoints, dataCentre, consistency);
  }

  /** Collects what was given; the rest gets the defaults. */
  public static final class Builder {
    private final String dataCentre;
    private final String keyspace;
    private List<InetSocketAddress> contactPoints = List.of();
    private Map<String, Integer> replication = Map.of();
    private Consistency consistency = Consistency.QUORUM;
    private Duration requestTimeout = Duration.ofSeconds(10);
    private boolean createSchema = true;
    private boolean tls;
    private @Nullable String user;
    private @Nullable String password;

    Builder(String dataCentre, String keyspace) {
      this.dataCentre = dataCentre;
      this.keyspace = keyspace;
    }

    /** Nodes to meet first. */
    public Builder contactPoints(List<InetSocketAddress> value) {
      contactPoints = value;
      return this;
    }

    /** Replicas per data centre. */
    public Builder replication(Map<String, Integer> value) {
      replication = value;
      return this;
    }

    /** How many replicas must answer. */
    public Builder consistency(Consistency value) {
      consistency = value;
      return this;
    }

    /** How long one request may take. */
    public Builder requestTimeout(Duration value) {
      requestTimeout = value;
      return this;
    }

    /** Whether a missing keyspace or table is made. */
    public Builder createSchema(boolean value) {
      createSchema = value;
      return this;
    }

    /** Whether to connect with TLS. */
    public Builder tls(boolean value) {
      tls = value;
      return this;
    }

    /** Who connects. */
    public Builder credentials(String newUser, String newPassword) {
      user = newUser;
      password = newPassword;
      return this;
    }

    /** The config, checked. */
    public CassandraStorageConfig build() {
      return new CassandraStorageConfig(
          contactPoints,
          dataCentre,
          keyspace,
          replication,
          consistency,
          requestTimeout,
          createSchema,
          tls,
          user,
          password);
    }
  }
}
