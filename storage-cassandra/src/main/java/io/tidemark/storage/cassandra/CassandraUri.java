package io.tidemark.storage.cassandra;

import io.tidemark.spi.StorageUri;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code cassandra://host:port,host:port/keyspace?dc=…}. */
final class CassandraUri {
  static final String SCHEME = "cassandra";
  static final String EXAMPLE = "cassandra://localhost:9042/tidemark?dc=datacenter1&app=orders";

  private static final int DEFAULT_PORT = 9042;
  private static final Pattern LOCATION = Pattern.compile("//([^/]+)/([^/]+)");
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-fA-F:]+]|[^:\\[\\]]+)(?::(\\d{1,5}))?");
  private static final List<String> OPTIONS =
      List.of(
          "app",
          "dc",
          "rf",
          "replication",
          "consistency",
          "timeout",
          "create",
          "tls",
          "user",
          "password");

  private CassandraUri() {}

  static CassandraStorageConfig config(StorageUri uri) {
    if (!uri.scheme().equals(SCHEME)) {
      throw new IllegalArgumentException("the scheme must be cassandra, was " + uri.scheme());
    }
    for (String option : uri.options().keySet()) {
      if (!OPTIONS.contains(option)) {
        throw new IllegalArgumentException(
            "a cassandra URI knows the options " + OPTIONS + ", was '" + option + "'");
      }
    }
    Matcher location = LOCATION.matcher(uri.location());
    if (!location.matches()) {
      // The location is not shown: it may hold a password in the wrong place.
      throw new IllegalArgumentException("a cassandra URI names hosts and keyspace: " + EXAMPLE);
    }
    String dataCentre = uri.options().get("dc");
    if (dataCentre == null) {
      throw new IllegalArgumentException(
          "option dc must name the local data centre: " + EXAMPLE + "; see 'nodetool status'");
    }
    CassandraStorageConfig.Builder builder =
        CassandraStorageConfig.builder(dataCentre, location.group(2))
            .contactPoints(hosts(location.group(1)))
            .replication(replication(uri, dataCentre))
            .consistency(Consistency.of(uri.options().getOrDefault("consistency", "quorum")))
            .createSchema(flag(uri, "create", true))
            .tls(flag(uri, "tls", false));
    String timeout = uri.options().get("timeout");
    if (timeout != null) {
      builder.requestTimeout(duration(timeout));
    }
    String user = uri.options().get("user");
    String password = uri.options().get("password");
    if (user != null || password != null) {
      if (user == null || password == null) {
        throw new IllegalArgumentException("options user and password come together");
      }
      builder.credentials(user, password);
    }
    return builder.build();
  }

  private static List<InetSocketAddress> hosts(String text) {
    List<InetSocketAddress> hosts = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher host = HOST.matcher(part);
      if (part.contains("@") || !host.matches()) {
        throw new IllegalArgumentException(
            "hosts of a cassandra URI are host:port, separated by commas; a user goes into the"
                + " options");
      }
      int port = host.group(2) == null ? DEFAULT_PORT : Integer.parseInt(host.group(2));
      hosts.add(InetSocketAddress.createUnresolved(host.group(1), requirePort(port)));
    }
    return hosts;
  }

  private static int requirePort(int port) {
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("port must be 1..65535, was " + port);
    }
    return port;
  }

  private static Map<String, Integer> replication(StorageUri uri, String dataCentre) {
    String replicas = uri.options().get("rf");
    String all = uri.options().get("replication");
    if (replicas != null && all != null) {
      throw new IllegalArgumentException("give rf or replication, not both");
    }
    Map<String, Integer> replication = new TreeMap<>();
    if (replicas != null) {
      replication.put(dataCentre, number("rf", replicas));
    }
    if (all != null) {
      for (String part : all.split(",", -1)) {
        int colon = part.lastIndexOf(':');
        if (colon < 1) {
          throw new IllegalArgumentException(
              "replication is dc:replicas, separated by commas, was '" + all + "'");
        }
        replication.put(part.substring(0, colon), number("replication", part.substring(colon + 1)));
      }
    }
    return replication;
  }

  private static int number(String option, String text) {
    if (!text.matches("[0-9]{1,3}")) {
      throw new IllegalArgumentException(
          option + " must be a number of replicas, was '" + text + "'");
    }
    return Integer.parseInt(text);
  }

  private static boolean flag(StorageUri uri, String option, boolean otherwise) {
    String text = uri.options().getOrDefault(option, Boolean.toString(otherwise));
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(option + " must be true or false, was '" + text + "'");
    }
    return text.equals("true");
  }

  private static Duration duration(String text) {
    try {
      return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("timeout must be like 10s or 1m, was '" + text + "'", e);
    }
  }
}
