package io.tidemark.storage.sqlite;

import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.PartitionInfo;

/** Reads a partition for those who do not own it: always the generation in use. */
final class PartitionReader extends LogReader implements IPartitionReader {
  private static final String ALL_NUMBERS =
      """
      SELECT wsid, seq_id, number FROM tidemark_number
      WHERE app = ? AND part = ? AND generation = ? AND (wsid, seq_id) >= (?, ?)
      ORDER BY wsid, seq_id""";
  private static final String ALL_WLOG =
      """
      SELECT wsid, id, plog_offset, data FROM tidemark_wlog
      WHERE app = ? AND part = ? AND (wsid, id) >= (?, ?) ORDER BY wsid, id""";
  private static final String ALL_RECORDS =
      """
      SELECT wsid, id, plog_offset, data FROM tidemark_record
      WHERE app = ? AND part = ? AND (wsid, id) >= (?, ?) ORDER BY wsid, id""";

  private record Stored(long wsid, int seqId, long number) {}

  PartitionReader(Database database, long app, int partition) {
    super(database, app, partition);
  }

  @Override
  public PartitionInfo info() {
    return read("the meta row", session -> Meta.read(session, app, partition)).info();
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    return read("numbers", session -> SeqData.read(session, app, partition, null, wsid, seqIds))
        .orElseGet(() -> new long[seqIds.length]);
  }

  @Override
  public long readNextPLogOffset() {
    return read("the next offset", session -> SeqData.nextOffset(session, app, partition, null))
        .orElse(1L);
  }

  @Override
  public void scanNumbers(NumberVisitor visitor) {
    long generation = info().generation();
    boolean complete =
        scan(
            ALL_NUMBERS,
            row -> new Stored(row.getLong(1), row.getInt(2), row.getLong(3)),
            row -> new RowKey(row.wsid(), row.seqId()),
            unused -> 0,
            row -> visitor.visit(row.wsid(), row.seqId(), row.number()),
            app,
            partition,
            generation);
    if (complete && info().generation() != generation) {
      // Its rows were deleted under the scan: what was visited may not be all.
      throw new StorageUnavailableException(
          "SeqData generation %d of %s was replaced while it was scanned; scan again"
              .formatted(generation, this));
    }
  }

  @Override
  public void scanWLog(WLogVisitor visitor) {
    scan(
        ALL_WLOG,
        LogReader::wlogRow,
        row -> new RowKey(row.wsid(), row.wlogOffset()),
        row -> row.payload().length,
        visitor::visit,
        app,
        partition);
  }

  @Override
  public void scanRecords(RecordVisitor visitor) {
    scan(
        ALL_RECORDS,
        LogReader::recordRow,
        row -> new RowKey(row.wsid(), row.recordId()),
        row -> row.data().length,
        visitor::visit,
        app,
        partition);
  }
}
