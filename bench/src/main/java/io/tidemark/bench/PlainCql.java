package io.tidemark.bench;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.StorageUri;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.HdrHistogram.Histogram;

/**
 * Plain inserts by the Cassandra driver: no condition, the storage's consistency. A group is one
 * unlogged batch into one Cassandra partition, the cheapest there is.
 */
final class PlainCql implements PlainStore {
  private static final Pattern LOCATION = Pattern.compile("//([^/]+)/([^/]+)");
  private static final int DEFAULT_PORT = 9042;
  private static final int TAIL = -1;

  private final StorageUri uri;
  private final CqlSession session;
  private final PreparedStatement insert;
  private final ByteBuffer payload = ByteBuffer.wrap(new byte[PAYLOAD]);
  private long id = System.nanoTime();

  private PlainCql(StorageUri uri) {
    this.uri = uri;
    session = connect(uri);
    session.execute(
        "CREATE TABLE IF NOT EXISTS "
            + table()
            + " (part int, id bigint, data blob, PRIMARY KEY (part, id))");
    insert = session.prepare("INSERT INTO " + table() + " (part, id, data) VALUES (?, ?, ?)");
  }

  /** The keyspace must be there: open the storage first, which makes it. */
  static PlainCql of(StorageUri uri) {
    return new PlainCql(uri);
  }

  private String table() {
    return location(uri).group(2) + ".tidemark_bench";
  }

  private static Matcher location(StorageUri uri) {
    Matcher location = LOCATION.matcher(uri.location());
    if (!location.matches()) {
      throw new IllegalArgumentException(
          "a cassandra URI names hosts and keyspace: cassandra://host:port/keyspace?dc=name");
    }
    return location;
  }

  private static CqlSession connect(StorageUri uri) {
    String consistency = uri.options().getOrDefault("consistency", "quorum");
    CqlSessionBuilder builder =
        CqlSession.builder()
            .withLocalDatacenter(uri.options().getOrDefault("dc", ""))
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withString(DefaultDriverOption.PROTOCOL_VERSION, "V4")
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                    .withString(
                        DefaultDriverOption.REQUEST_CONSISTENCY,
                        DefaultConsistencyLevel.valueOf(consistency.toUpperCase(Locale.ROOT))
                            .name())
                    .build());
    for (String host : location(uri).group(1).split(",", -1)) {
      int colon = host.lastIndexOf(':');
      boolean port = colon > host.lastIndexOf(']') && colon > 0;
      builder.addContactPoint(
          new InetSocketAddress(
              port ? host.substring(0, colon) : host,
              port ? Integer.parseInt(host.substring(colon + 1)) : DEFAULT_PORT));
    }
    String user = uri.options().get("user");
    String password = uri.options().get("password");
    if (user != null && password != null) {
      builder.withAuthCredentials(user, password);
    }
    try {
      if (Boolean.parseBoolean(uri.options().get("tls"))) {
        builder.withSslContext(SSLContext.getDefault());
      }
      return builder.build();
    } catch (AllNodesFailedException e) {
      throw new StorageUnavailableException("a plain connection was refused", e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM has no TLS", e);
    }
  }

  @Override
  public long single(int rows, Histogram latencies) {
    long started = System.nanoTime();
    for (int i = 0; i < rows; i++) {
      long before = System.nanoTime();
      session.execute(next());
      latencies.recordValue(System.nanoTime() - before);
    }
    return System.nanoTime() - started;
  }

  @Override
  public long grouped(int rows, int group) {
    long started = System.nanoTime();
    BatchStatementBuilder batch = BatchStatement.builder(BatchType.UNLOGGED);
    for (int i = 0; i < rows; i++) {
      batch.addStatement(next());
      if ((i + 1) % group == 0 || i + 1 == rows) {
        session.execute(batch.build());
        batch.clearStatements();
      }
    }
    return System.nanoTime() - started;
  }

  private BoundStatement next() {
    return insert.bind(0, id++, payload.duplicate());
  }

  @Override
  public void keep(List<byte[]> rows) {
    session.execute("DELETE FROM " + table() + " WHERE part = " + TAIL);
    for (int i = 0; i < rows.size(); i++) {
      session.execute(insert.bind(TAIL, (long) i, ByteBuffer.wrap(rows.get(i))));
    }
  }

  @Override
  public long connectAndRead() {
    long started = System.nanoTime();
    try (CqlSession other = connect(uri)) {
      long bytes = 0;
      for (Row row : other.execute("SELECT data FROM " + table() + " WHERE part = " + TAIL)) {
        ByteBuffer data = row.getByteBuffer(0);
        bytes += data == null ? 0 : data.remaining();
      }
      long took = System.nanoTime() - started;
      if (bytes == 0) {
        throw new IllegalStateException("no row was kept");
      }
      return took;
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
