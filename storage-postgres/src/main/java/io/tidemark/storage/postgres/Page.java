package io.tidemark.storage.postgres;

/**
 * How many rows the next page of a scan takes: as many as fit a few megabytes if they are as large
 * as the largest one seen, so that memory is bounded by bytes and not by rows.
 */
final class Page {
  private static final int FIRST = 64;
  private static final int MOST = 2048;
  private static final long BYTES = 4 << 20;

  private int rows = FIRST / 2;
  private long largest = 1;

  /** The size of the next page; at most twice the last one. */
  int rows() {
    rows = (int) Math.max(1, Math.min(Math.min(2L * rows, MOST), BYTES / largest));
    return rows;
  }

  /** Notes the size of a row that was read. */
  byte[] seen(byte[] row) {
    largest = Math.max(largest, row.length);
    return row;
  }
}
