package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.spi.ILogReader.WLogVisitor;
import io.tidemark.spi.WLogRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The workspace logs: conditional inserts at levels 0 and 1, puts whose time stamp is the PLog
 * offset at level 2, each in a table of its own.
 */
final class WLogTable {
  private static final int PAGE = 500;
  private static final String BUCKET =
      " WHERE application = :application AND partition = :partition AND wsid = :wsid"
          + " AND bucket = :bucket";

  private final Cql cql;
  private final String application;
  private final Buckets buckets;
  private final RowBuckets rowBuckets;
  private final PreparedStatement read;
  private final PreparedStatement page;
  private final PreparedStatement insert;
  private final WriteSizes sizes;
  private final boolean isPut;

  WLogTable(
      Cql cql,
      String keyspace,
      String application,
      Buckets buckets,
      RowBuckets rowBuckets,
      WriteSizes sizes,
      boolean isPut) {
    this.cql = cql;
    this.application = application;
    this.buckets = buckets;
    this.rowBuckets = rowBuckets;
    String table = keyspace + (isPut ? ".wlog_puts" : ".wlog");
    String columns = "SELECT wlog_offset, plog_offset, payload FROM ";
    read = cql.prepare(columns + table + BUCKET + " AND wlog_offset = :wlog_offset");
    page = cql.prepare(columns + table + BUCKET + " AND wlog_offset >= :wlog_offset");
    String values =
        "INSERT INTO "
            + table
            + " (application, partition, wsid, bucket, wlog_offset, plog_offset, payload) VALUES"
            + " (:application, :partition, :wsid, :bucket, :wlog_offset, :plog_offset, :payload)";
    insert = cql.prepare(values + (isPut ? " USING TIMESTAMP :stamp" : " IF NOT EXISTS"));
    this.sizes = sizes;
    this.isPut = isPut;
  }

  private BoundStatementBuilder at(
      PreparedStatement statement, int partition, long wsid, long bucket, long wlogOffset) {
    return statement
        .boundStatementBuilder()
        .setString("application", application)
        .setInt("partition", partition)
        .setLong("wsid", wsid)
        .setLong("bucket", bucket)
        .setLong("wlog_offset", wlogOffset);
  }

  private BoundStatementBuilder at(PreparedStatement statement, int partition, WLogRow row) {
    return at(
        statement, partition, row.wsid(), buckets.ofOffset(row.wlogOffset()), row.wlogOffset());
  }

  void write(int partition, List<WLogRow> rows) {
    if (!isPut && rows.size() > 1) {
      check(partition, rows);
    }
    List<RowBuckets.Key> keys = new ArrayList<>();
    List<Statement<?>> puts = new ArrayList<>();
    ConditionalInserts inserts = new ConditionalInserts(cql, "insert WLog rows", sizes);
    for (WLogRow row : rows) {
      RowBuckets.Key key =
          new RowBuckets.Key(
              partition, RowBuckets.WLOG, row.wsid(), buckets.ofOffset(row.wlogOffset()));
      keys.add(key);
      BoundStatementBuilder write =
          at(insert, partition, row)
              .setLong("plog_offset", row.plogOffset())
              .setByteBuffer("payload", ByteBuffer.wrap(row.payload()));
      if (!isPut) {
        inserts.add(key, row.payload().length, write.build(), found -> requireSame(row, found));
      } else {
        puts.add(write.setLong("stamp", row.plogOffset()).build());
      }
    }
    rowBuckets.add(keys);
    cql.writeAll("put WLog rows", puts);
    inserts.run();
  }

  /** Many rows are not one write: look first, so that a refused call normally writes nothing. */
  private void check(int partition, List<WLogRow> rows) {
    List<Statement<?>> reads = new ArrayList<>();
    for (WLogRow row : rows) {
      reads.add(at(read, partition, row).build());
    }
    List<@Nullable Row> found = cql.readEach("look for WLog rows", reads);
    for (int i = 0; i < found.size(); i++) {
      Row row = found.get(i);
      if (row != null) {
        requireSame(rows.get(i), row);
      }
    }
  }

  private static void requireSame(WLogRow row, Row stored) {
    WLogRow found = row(row.wsid(), stored);
    if (!found.equals(row)) {
      throw new SequenceViolationException(
          row.key(),
          "written at PLog offset "
              + (found.plogOffset() + ", " + found.payload().length + " bytes"));
    }
  }

  private static WLogRow row(long wsid, Row row) {
    return new WLogRow(
        wsid,
        row.getLong("wlog_offset"),
        row.getLong("plog_offset"),
        EventRow.bytes(row, "payload"));
  }

  void read(int partition, long wsid, long from, WLogVisitor visitor) {
    for (long bucket :
        rowBuckets.ofWorkspace(partition, RowBuckets.WLOG, wsid, buckets.ofOffset(from))) {
      if (!readBucket(partition, wsid, bucket, from, visitor)) {
        return;
      }
    }
  }

  private boolean readBucket(
      int partition, long wsid, long bucket, long from, WLogVisitor visitor) {
    return cql.scan(
        "read the WLog",
        at(page, partition, wsid, bucket, from).setPageSize(PAGE).build(),
        row -> visitor.visit(row(wsid, row)));
  }

  void scan(int partition, WLogVisitor visitor) {
    rowBuckets.all(
        partition,
        RowBuckets.WLOG,
        (wsid, bucket) -> readBucket(partition, wsid, bucket, Long.MIN_VALUE, visitor));
  }
}
