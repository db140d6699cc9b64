package io.tidemark.storage.foundationdb;

import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What fits into one transaction.
 *
 * @param size what a write takes
 * @param transactionBytes the most of it
 */
record Limits(TransactionSize size, int transactionBytes) {
  /** A group's events stand in the log, in the workspace log and, about as long, in records. */
  private static final int SHARE_OF_EVENTS = 4;

  private static final int BYTES_PER_EVENT = 10_000;

  /** Leaves room for what a commit writes beside its events. */
  GroupLimit group() {
    return new GroupLimit(transactionBytes / BYTES_PER_EVENT, transactionBytes / SHARE_OF_EVENTS);
  }

  int numbersPerTransaction() {
    return Math.toIntExact(Math.max(1, transactionBytes / size.ofNumber()));
  }

  /** Refuses what cannot be one transaction, before any of it is written. */
  void require(String what, List<PLogEvent> events, List<RecordRow> records, List<WLogRow> wlog) {
    long bytes = size.of(events, records, wlog);
    if (bytes > transactionBytes) {
      throw new IllegalArgumentException(
          ("%s is one FoundationDB transaction of at most %d bytes, was about %d: %d events, %d"
                  + " records, %d workspace-log rows; make it smaller or raise transactionBytes")
              .formatted(
                  what, transactionBytes, bytes, events.size(), records.size(), wlog.size()));
    }
  }

  /** Rows in as few parts as fit into transactions. */
  <T> List<List<T>> slices(String what, List<T> rows, ToLongFunction<T> sizeOf) {
    List<List<T>> slices = new ArrayList<>();
    List<T> slice = new ArrayList<>();
    long bytes = 0;
    for (T row : rows) {
      long rowBytes = sizeOf.applyAsLong(row);
      if (rowBytes > transactionBytes) {
        throw new IllegalArgumentException(
            "%s fits into one FoundationDB transaction of at most %d bytes, was about %d; make it smaller or raise transactionBytes"
                .formatted(what, transactionBytes, rowBytes));
      }
      if (bytes + rowBytes > transactionBytes) {
        slices.add(slice);
        slice = new ArrayList<>();
        bytes = 0;
      }
      slice.add(row);
      bytes += rowBytes;
    }
    if (!slice.isEmpty()) {
      slices.add(slice);
    }
    return slices;
  }
}
