package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.spi.ILogReader.RecordVisitor;
import io.tidemark.spi.RecordRow;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records: their time stamp is the PLog offset, so the higher one stays. At level 0 a new record
 * first takes its key by a conditional insert, in a table that sees nothing else. A row that was
 * only ever put has no key, so the record itself is looked at too.
 */
final class RecordTable {
  private static final int PAGE = 500;
  private static final int KEY_BYTES = 32;
  private static final String BUCKET =
      " WHERE application = :application AND partition = :partition AND wsid = :wsid"
          + " AND bucket = :bucket";

  private final Cql cql;
  private final String application;
  private final Buckets buckets;
  private final RowBuckets rowBuckets;
  private final WriteSizes sizes;
  private final PreparedStatement read;
  private final PreparedStatement page;
  private final PreparedStatement put;
  private final PreparedStatement readKey;
  private final PreparedStatement insertKey;

  RecordTable(
      Cql cql,
      String keyspace,
      String application,
      Buckets buckets,
      RowBuckets rowBuckets,
      WriteSizes sizes) {
    this.cql = cql;
    this.application = application;
    this.buckets = buckets;
    this.rowBuckets = rowBuckets;
    this.sizes = sizes;
    String records = keyspace + ".records";
    String keys = keyspace + ".record_keys";
    String key = " (application, partition, wsid, bucket, record_id, plog_offset, ";
    String values =
        ") VALUES (:application, :partition, :wsid, :bucket, :record_id, :plog_offset, ";
    page = cql.prepare("SELECT record_id, plog_offset, data FROM " + records + BUCKET);
    read =
        cql.prepare(
            "SELECT record_id, plog_offset, data FROM "
                + records
                + BUCKET
                + " AND record_id = :record_id");
    put =
        cql.prepare(
            "INSERT INTO " + records + key + "data" + values + ":data) USING TIMESTAMP :stamp");
    readKey =
        cql.prepare(
            "SELECT plog_offset, digest FROM " + keys + BUCKET + " AND record_id = :record_id");
    insertKey =
        cql.prepare("INSERT INTO " + keys + key + "digest" + values + ":digest) IF NOT EXISTS");
  }

  private BoundStatementBuilder in(
      PreparedStatement statement, int partition, long wsid, long bucket) {
    return statement
        .boundStatementBuilder()
        .setString("application", application)
        .setInt("partition", partition)
        .setLong("wsid", wsid)
        .setLong("bucket", bucket);
  }

  private BoundStatementBuilder at(
      PreparedStatement statement, int partition, long wsid, long recordId) {
    return in(statement, partition, wsid, buckets.ofRecord(recordId))
        .setLong("record_id", recordId);
  }

  void write(int partition, List<RecordRow> rows, boolean insertNew) {
    List<RecordRow> inserted =
        insertNew ? rows.stream().filter(RecordRow::isNew).toList() : List.of();
    if (inserted.isEmpty()) {
      put(partition, rows);
    } else {
      takeKeys(partition, inserted);
      Cql.afterWriting("record keys", () -> put(partition, rows));
    }
  }

  private void put(int partition, List<RecordRow> rows) {
    List<RowBuckets.Key> keys = new ArrayList<>();
    List<Statement<?>> puts = new ArrayList<>();
    for (RecordRow row : rows) {
      keys.add(
          new RowBuckets.Key(
              partition, RowBuckets.RECORDS, row.wsid(), buckets.ofRecord(row.recordId())));
      puts.add(
          at(put, partition, row.wsid(), row.recordId())
              .setLong("plog_offset", row.plogOffset())
              .setByteBuffer("data", ByteBuffer.wrap(row.data()))
              .setLong("stamp", row.plogOffset())
              .build());
    }
    rowBuckets.add(keys);
    cql.writeAll("put records", puts);
  }

  private void takeKeys(int partition, List<RecordRow> rows) {
    check(partition, rows);
    ConditionalInserts inserts = new ConditionalInserts(cql, "insert record keys", sizes);
    for (RecordRow row : rows) {
      inserts.add(
          new RowBuckets.Key(
              partition, RowBuckets.RECORDS, row.wsid(), buckets.ofRecord(row.recordId())),
          KEY_BYTES,
          at(insertKey, partition, row.wsid(), row.recordId())
              .setLong("plog_offset", row.plogOffset())
              .setByteBuffer("digest", ByteBuffer.wrap(digest(row.data())))
              .build(),
          found -> requireOwnKey(row, found));
    }
    inserts.run();
  }

  /**
   * Looks for records that stand there, and for keys as well where there are many: those are not
   * one write, and a refused call normally writes nothing.
   */
  private void check(int partition, List<RecordRow> rows) {
    List<Statement<?>> reads = new ArrayList<>();
    for (RecordRow row : rows) {
      reads.add(at(read, partition, row.wsid(), row.recordId()).build());
    }
    if (rows.size() > 1) {
      for (RecordRow row : rows) {
        reads.add(at(readKey, partition, row.wsid(), row.recordId()).build());
      }
    }
    List<@Nullable Row> found = cql.readEach("look for records", reads);
    for (int i = 0; i < found.size(); i++) {
      Row there = found.get(i);
      if (there != null && i < rows.size()) {
        RecordRow row = rows.get(i);
        requireOwn(row, there, Arrays.equals(EventRow.bytes(there, "data"), row.data()));
      } else if (there != null) {
        requireOwnKey(rows.get(i - rows.size()), there);
      }
    }
  }

  private static void requireOwnKey(RecordRow row, Row key) {
    requireOwn(row, key, Arrays.equals(EventRow.bytes(key, "digest"), digest(row.data())));
  }

  /** What a later event wrote stays; what an earlier one did, or another one, is foreign. */
  private static void requireOwn(RecordRow row, Row there, boolean isSame) {
    long found = there.getLong("plog_offset");
    if (found == row.plogOffset() ? !isSame : found < row.plogOffset()) {
      throw new SequenceViolationException(row.key(), "written at PLog offset " + found);
    }
  }

  static byte[] digest(byte[] data) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(data);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  @Nullable RecordRow read(int partition, long wsid, long recordId) {
    Row row = cql.readOne("read a record", at(read, partition, wsid, recordId).build());
    return row == null ? null : row(wsid, row);
  }

  private static RecordRow row(long wsid, Row row) {
    return new RecordRow(
        wsid,
        row.getLong("record_id"),
        row.getLong("plog_offset"),
        false,
        EventRow.bytes(row, "data"));
  }

  void scan(int partition, RecordVisitor visitor) {
    rowBuckets.all(
        partition,
        RowBuckets.RECORDS,
        (wsid, bucket) ->
            cql.scan(
                "scan records",
                in(page, partition, wsid, bucket).setPageSize(PAGE).build(),
                row -> visitor.visit(row(wsid, row))));
  }
}
