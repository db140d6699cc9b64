package io.tidemark.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Cassandra node in a JVM of its own, on loopback and in a temporary folder.
 *
 * <p>Cassandra 5.0 runs on JDK 17 and on no later one: when the build runs on another, the system
 * property {@code tidemark.cassandra.java} or the environment variable {@code JAVA17_HOME} names a
 * JDK 17.
 */
public final class CassandraServer extends ServerProcess {
  /** The data centre every node reports. */
  public static final String DATA_CENTRE = "datacenter1";

  private static final Duration START = Duration.ofMinutes(4);
  private static final String CLASS_PATH = "/cassandra-server.classpath";
  private static final List<String> OPENED =
      List.of(
          "java.io",
          "java.lang",
          "java.lang.reflect",
          "java.util",
          "jdk.internal.misc",
          "jdk.internal.ref",
          "sun.nio.ch");
  private static final String LOGBACK =
      """
      <configuration>
        <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%d %-5level [%thread] %logger{20} %msg%n%ex</pattern></encoder>
        </appender>
        <root level="WARN"><appender-ref ref="out"/></root>
      </configuration>
      """;

  private static @Nullable CassandraServer shared;

  private final Path folder;
  private final InetSocketAddress cql;

  /** A node that is not started yet; see {@link CassandraCluster} for several. */
  CassandraServer(Node node, Map<String, String> settings) {
    this.folder = unchecked(() -> Files.createTempDirectory("tidemark-cassandra-"));
    this.cql = new InetSocketAddress(node.address(), node.cqlPort());
    unchecked(
        () -> {
          Files.writeString(folder.resolve("cassandra.yaml"), yaml(node, settings));
          return Files.writeString(folder.resolve("logback.xml"), LOGBACK);
        });
    // The node itself ends with its guard; this takes no lock, so it waits for no start under way.
    Runtime.getRuntime().addShutdownHook(new Thread(this::deleteFolder));
  }

  /**
   * Where a node listens and which part of the ring it owns.
   *
   * @param address its own loopback address
   * @param gossipPort the port for other nodes
   * @param cqlPort the port for clients
   * @param token its place on the ring
   * @param seeds address and port of the nodes it meets first
   */
  record Node(InetAddress address, int gossipPort, int cqlPort, long token, String seeds) {}

  /** One node of its own, with patient timeouts: a loaded machine must not look like a fault. */
  public static CassandraServer start() {
    return start(Map.of());
  }

  /**
   * The same with more settings.
   *
   * @param more lines of {@code cassandra.yaml}
   */
  public static CassandraServer start(Map<String, String> more) {
    Map<String, String> settings = new TreeMap<>(timeouts(Duration.ofSeconds(30)));
    settings.putAll(more);
    int gossip = freePort();
    Node node =
        new Node(InetAddress.getLoopbackAddress(), gossip, freePort(), 0, "127.0.0.1:" + gossip);
    CassandraServer server = new CassandraServer(node, settings);
    server.startAgain();
    return server;
  }

  /** The node all tests of this JVM share; it ends with the JVM. See {@link CassandraAddress}. */
  static synchronized CassandraServer shared() {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  /** The settings that make every request end after {@code patience}. */
  public static Map<String, String> timeouts(Duration patience) {
    Map<String, String> settings = new TreeMap<>();
    for (String request :
        List.of("read", "range", "write", "counter_write", "truncate", "request")) {
      String name = request.equals("request") ? "request_timeout" : request + "_request_timeout";
      settings.put(name, patience.toMillis() + "ms");
    }
    settings.put("cas_contention_timeout", patience.toMillis() + "ms");
    return settings;
  }

  /** Where clients connect. */
  public InetSocketAddress address() {
    return cql;
  }

  /** Starts it on the data it has, with the time a loaded machine may need. */
  public void startAgain() {
    start(START);
  }

  @Override
  protected ProcessBuilder command() {
    List<String> command = new ArrayList<>(List.of(java()));
    for (String name : OPENED) {
      command.addAll(List.of("--add-opens", "java.base/" + name + "=ALL-UNNAMED"));
    }
    command.addAll(List.of("-Xms64m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-XX:+ExitOnOutOfMemoryError");
    Map<String, Object> properties = new TreeMap<>();
    properties.put("cassandra.config", folder.resolve("cassandra.yaml").toUri());
    properties.put("logback.configurationFile", folder.resolve("logback.xml").toUri());
    properties.put("cassandra.storagedir", folder);
    properties.put("cassandra.logdir", folder);
    properties.put("cassandra-foreground", "yes");
    properties.put("cassandra.skip_wait_for_gossip_to_settle", 0);
    properties.put("cassandra.ring_delay_ms", 1000);
    properties.put("cassandra.superuser_setup_delay_ms", 0);
    properties.put("cassandra.memtable.row_overhead_size", 181);
    properties.put("cassandra.skip_sync", true);
    properties.put("cassandra.shutdown_announce_in_ms", 0);
    properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.addAll(List.of("-cp", classPath(), "org.apache.cassandra.service.CassandraDaemon"));
    return new ProcessBuilder(command).directory(folder.toFile());
  }

  private static String java() {
    String told = System.getProperty("tidemark.cassandra.java");
    if (told != null) {
      return told;
    }
    String home = System.getenv("JAVA17_HOME");
    if (home == null) {
      if (Runtime.version().feature() != 17) {
        throw new IllegalStateException(
            "Cassandra 5.0 runs on JDK 17 only, this is "
                + Runtime.version().feature()
                + ": set JAVA17_HOME");
      }
      home = System.getProperty("java.home");
    }
    return Path.of(home, "bin", "java").toString();
  }

  private static String classPath() {
    try (InputStream in = CassandraServer.class.getResourceAsStream(CLASS_PATH)) {
      if (in == null) {
        throw new IllegalStateException(CLASS_PATH + " is missing: build test-servers with Maven");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String yaml(Node node, Map<String, String> settings) {
    String address = node.address().getHostAddress();
    Map<String, String> all = new TreeMap<>(settings);
    all.put("cluster_name", "tidemark-test");
    all.put("num_tokens", "1");
    all.put("initial_token", Long.toString(node.token()));
    all.put("auto_bootstrap", "false");
    all.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
    all.put("endpoint_snitch", "SimpleSnitch");
    all.put(
        "seed_provider",
        "[{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{seeds: \""
            + node.seeds()
            + "\"}]}]");
    all.put("listen_address", address);
    all.put("rpc_address", address);
    all.put("storage_port", Integer.toString(node.gossipPort()));
    all.put("native_transport_port", Integer.toString(node.cqlPort()));
    all.put("commitlog_sync", "periodic");
    all.put("commitlog_sync_period", "1s");
    all.put("auto_snapshot", "false");
    all.put("paxos_variant", "v2");
    StringBuilder text = new StringBuilder();
    all.forEach((name, value) -> text.append(name).append(": ").append(value).append('\n'));
    return text.toString();
  }

  @Override
  protected boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(cql, 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  protected Path log() {
    return folder.resolve("server.log");
  }

  @Override
  protected String stopSignal() {
    return "TERM";
  }

  /** Ends the node and removes its folder. */
  @Override
  public void close() {
    kill9();
    deleteFolder();
  }

  private void deleteFolder() {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      System.getLogger(CassandraServer.class.getName())
          .log(System.Logger.Level.DEBUG, "left behind: " + folder, e);
    }
  }

  static int freePort() {
    return unchecked(
        () -> {
          try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
          }
        });
  }
}
