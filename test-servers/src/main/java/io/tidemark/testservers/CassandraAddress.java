package io.tidemark.testservers;

import java.net.InetSocketAddress;

/**
 * Where a shared Cassandra node for tests listens: in a container where there is an engine, else
 * the process of {@link CassandraServer}.
 *
 * @param address where clients connect
 * @param dataCentre the data centre it reports
 */
public record CassandraAddress(InetSocketAddress address, String dataCentre) {

  /** The shared node, started on first use. */
  public static CassandraAddress shared() {
    if (ContainerEngine.isThere()) {
      return CassandraContainers.shared();
    }
    return new CassandraAddress(CassandraServer.shared().address(), CassandraServer.DATA_CENTRE);
  }

  /** {@code host:port}, as it stands in a storage URI. */
  public String hostAndPort() {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }
}
