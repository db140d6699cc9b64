package io.tidemark.bench;

import io.tidemark.spi.StorageUri;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What the database does for those who use its own driver and a table of two columns: the baselines
 * of everything that is stored. Works in a table {@code tidemark_bench} and leaves it.
 */
interface PlainStore extends AutoCloseable {
  /** Bytes in a row, about what an event of the pipeline takes. */
  int PAYLOAD = 200;

  /**
   * The plain way into the database of a storage.
   *
   * @throws IllegalArgumentException if no plain way into it is known
   */
  static PlainStore of(StorageUri uri) {
    return switch (uri.scheme()) {
      case "sqlite" -> PlainSql.sqlite(uri);
      case "postgres" -> PlainSql.postgres(uri);
      case "cassandra" -> PlainCql.of(uri);
      default ->
          throw new IllegalArgumentException(
              "plain inserts to compare with are known for sqlite:, postgres: and cassandra:, not"
                  + " for '"
                  + uri.scheme()
                  + "'");
    };
  }

  /** Inserts one row a commit; answers the nanoseconds it all took. */
  long single(int rows, Histogram latencies);

  /** Inserts {@code group} rows a commit; answers the nanoseconds it all took. */
  long grouped(int rows, int group);

  /** Stores rows for {@link #connectAndRead}, in their order. */
  void keep(List<byte[]> rows);

  /**
   * Opens a connection of its own and reads the kept rows; answers the nanoseconds it took, without
   * the closing.
   */
  long connectAndRead();

  @Override
  void close();
}
