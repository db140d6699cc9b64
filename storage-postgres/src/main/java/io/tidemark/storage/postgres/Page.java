package io.tidemark.storage.postgres;

/**
 * How a scan is cut into pages: by rows and, because rows may be large, by bytes too. Pages begin
 * small, as many scans end after a few rows, and grow.
 */
final class Page {
  private static final int FIRST = 64;
  private static final int GROWTH = 8;
  private static final int MOST = 2048;
  private static final long BYTES = 4 << 20;

  private int rows = FIRST / GROWTH;
  private long bytes;

  /**
   * A query for one page: at most so many rows, and none that begins after so many bytes. The
   * server knows a value's length without reading it.
   *
   * @param from the columns and rows, without their order
   */
  static String of(String columns, String payload, String from, String order) {
    return ("SELECT %1$s, %2$s FROM (SELECT %1$s, %2$s,"
            + " sum(octet_length(%2$s)) OVER (ORDER BY %4$s) - octet_length(%2$s) AS before"
            + " FROM (SELECT %1$s, %2$s FROM %3$s ORDER BY %4$s LIMIT ?) r) p"
            + " WHERE before < "
            + BYTES
            + " ORDER BY %4$s")
        .formatted(columns, payload, from, order);
  }

  /** Begins the next page and answers how many rows it may have. */
  int next() {
    rows = Math.min(GROWTH * rows, MOST);
    bytes = 0;
    return rows;
  }

  /** Notes a row's payload. */
  byte[] seen(byte[] payload) {
    bytes += payload.length;
    return payload;
  }

  /** Whether the page that had {@code count} rows was the last. */
  boolean isLast(int count) {
    return count < rows && bytes < BYTES;
  }
}
