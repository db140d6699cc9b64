package io.tidemark.storage.postgres;

import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.PartitionInfo;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.List;

/** Reads a partition without owning it: plain selects, which wait for nobody. */
final class PostgresPartitionReader extends PostgresLogReader implements IPartitionReader {
  private static final String NUMBERS =
      "SELECT wsid, seq_id, number FROM $.seq_data WHERE app = ? AND partition = ?"
          + " AND generation = ? AND (wsid, seq_id) > (?, ?) ORDER BY wsid, seq_id LIMIT ?";
  private static final String WLOG =
      Page.of(
          "wsid, wlog_offset, plog_offset",
          "payload",
          "$.wlog WHERE app = ? AND partition = ? AND (wsid, wlog_offset) > (?, ?)",
          "wsid, wlog_offset");
  private static final String RECORDS =
      Page.of(
          "wsid, record_id, plog_offset",
          "data",
          "$.record WHERE app = ? AND partition = ? AND (wsid, record_id) > (?, ?)",
          "wsid, record_id");

  private final MetaRows rows;
  private final SeqData seqData;

  PostgresPartitionReader(Database database, PartitionKey key, MetaRows rows, SeqData seqData) {
    super(database, key);
    this.rows = rows;
    this.seqData = seqData;
  }

  @Override
  public PartitionInfo info() {
    return rows.read(key).info();
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    return seqData.readNumbers(key, SeqData.IN_USE, wsid, seqIds);
  }

  @Override
  public long readNextPLogOffset() {
    return seqData.readNextOffset(key, SeqData.IN_USE);
  }

  private record StoredNumber(long wsid, int seqId, long number) {}

  @Override
  public void scanNumbers(NumberVisitor visitor) {
    // One generation for the whole scan: pages of two would not fit together.
    long generation = info().generation();
    Page page = new Page();
    StoredNumber last = new StoredNumber(Long.MIN_VALUE, Integer.MIN_VALUE, 0);
    List<StoredNumber> numbers;
    do {
      StoredNumber after = last;
      int most = page.next();
      numbers =
          query(
              "reading numbers",
              NUMBERS,
              b -> b.bigint(generation).bigint(after.wsid).number(after.seqId).number(most),
              row -> new StoredNumber(row.getLong(1), row.getInt(2), row.getLong(3)));
      if (!visitAll(numbers, n -> visitor.visit(n.wsid, n.seqId, n.number))) {
        return;
      }
      last = numbers.isEmpty() ? last : numbers.get(numbers.size() - 1);
    } while (!page.isLast(numbers.size()));
    if (info().generation() != generation) { // its rows went while they were read
      throw new StorageUnavailableException(
          "SeqData generation %d of %s was replaced while it was scanned; scan again"
              .formatted(generation, key));
    }
  }

  @Override
  public void scanWLog(WLogVisitor visitor) {
    Page page = new Page();
    WLogRow last = new WLogRow(Long.MIN_VALUE, Long.MIN_VALUE, 0, new byte[0]);
    List<WLogRow> found;
    do {
      WLogRow after = last;
      int most = page.next();
      found =
          query(
              "reading workspace logs",
              WLOG,
              b -> b.bigint(after.wsid()).bigint(after.wlogOffset()).number(most),
              row ->
                  new WLogRow(
                      row.getLong(1), row.getLong(2), row.getLong(3), page.seen(row.getBytes(4))));
      if (!visitAll(found, visitor::visit)) {
        return;
      }
      last = found.isEmpty() ? last : found.get(found.size() - 1);
    } while (!page.isLast(found.size()));
  }

  @Override
  public void scanRecords(RecordVisitor visitor) {
    Page page = new Page();
    RecordRow last = new RecordRow(Long.MIN_VALUE, Long.MIN_VALUE, 0, false, new byte[0]);
    List<RecordRow> found;
    do {
      RecordRow after = last;
      int most = page.next();
      found =
          query(
              "reading records",
              RECORDS,
              b -> b.bigint(after.wsid()).bigint(after.recordId()).number(most),
              row ->
                  new RecordRow(
                      row.getLong(1),
                      row.getLong(2),
                      row.getLong(3),
                      false,
                      page.seen(row.getBytes(4))));
      if (!visitAll(found, visitor::visit)) {
        return;
      }
      last = found.isEmpty() ? last : found.get(found.size() - 1);
    } while (!page.isLast(found.size()));
  }
}
