package io.tidemark.testservers;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three Cassandra nodes on one loopback address, each with a pair of ports. */
public final class CassandraCluster implements AutoCloseable {
  private static final int NODES = 3;
  private static final long SPACING = Long.MAX_VALUE / NODES * 2;

  private final List<CassandraServer> nodes = new ArrayList<>();

  private CassandraCluster() {}

  /**
   * Starts the nodes one after the other; on two cores that is as fast as all at once.
   *
   * @param patience how long the nodes wait for each other before a request times out
   */
  public static CassandraCluster start(Duration patience) {
    CassandraCluster cluster = new CassandraCluster();
    try {
      cluster.startNodes(patience);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void startNodes(Duration patience) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    List<Integer> gossip =
        IntStream.range(0, NODES).mapToObj(i -> CassandraServer.freePort()).toList();
    String seeds = gossip.stream().map(p -> "127.0.0.1:" + p).collect(Collectors.joining(","));
    Map<String, String> settings = new TreeMap<>(CassandraServer.timeouts(patience));
    // Hints are what a late write travels by: they must flow within the time of a test.
    settings.put("hints_flush_period", "500ms");
    settings.put("max_hints_delivery_threads", "2");
    for (int i = 0; i < NODES; i++) {
      long token = Long.MIN_VALUE + 1 + i * SPACING;
      CassandraServer node =
          new CassandraServer(
              new CassandraServer.Node(
                  loopback, gossip.get(i), CassandraServer.freePort(), token, seeds),
              settings);
      nodes.add(node);
      node.startAgain();
    }
  }

  /** The nodes. */
  public List<CassandraServer> nodes() {
    return List.copyOf(nodes);
  }

  /** Ends every node, paused ones too. */
  @Override
  public void close() {
    nodes.forEach(CassandraServer::close);
  }
}
