package io.tidemark.storage.foundationdb;

import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.List;

/**
 * How much of a transaction's limit a write takes, estimated from above: the mutation, the conflict
 * range of reading the row before, the one of writing it.
 */
final class TransactionSize {
  /** Key bytes beside the prefix and the application: table, partition, two longs, chunk. */
  private static final int KEY_BYTES = 40;

  /** A key stands in a mutation once and in two conflict ranges twice; the rest is structure. */
  private static final int KEY_COPIES = 5;

  private static final int STRUCTURE_BYTES = 150;

  /** A number is written and not read. */
  private static final int KEY_COPIES_OF_A_NUMBER = 3;

  private final int perNumber;
  private final int perChunk;

  TransactionSize(int rootBytes) {
    perNumber = KEY_COPIES_OF_A_NUMBER * (rootBytes + KEY_BYTES) + STRUCTURE_BYTES + Long.BYTES;
    perChunk = KEY_COPIES * (rootBytes + KEY_BYTES) + STRUCTURE_BYTES;
  }

  long ofNumber() {
    return perNumber;
  }

  private long ofRow(long bytes) {
    return (long) Chunks.count(bytes) * perChunk + bytes;
  }

  long of(WLogRow row) {
    return ofRow(OffsetRow.HEADER_BYTES + row.payload().length);
  }

  long of(RecordRow row) {
    return ofRow(OffsetRow.HEADER_BYTES + row.data().length);
  }

  long of(List<PLogEvent> events, List<RecordRow> records, List<WLogRow> wlog) {
    long sum = 2L * perChunk;
    for (PLogEvent event : events) {
      sum += ofRow(event.size());
    }
    for (RecordRow row : records) {
      sum += of(row);
    }
    for (WLogRow row : wlog) {
      sum += of(row);
    }
    return sum;
  }
}
