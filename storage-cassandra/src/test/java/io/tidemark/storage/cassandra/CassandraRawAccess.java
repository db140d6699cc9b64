package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.tidemark.tck.RawAccess;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Plants and removes rows with statements of its own: conditional ones where the storage's are, and
 * with a time stamp just above the one that is there where the storage's have their own.
 */
final class CassandraRawAccess implements RawAccess {
  private static final String ROW =
      " WHERE application = ? AND partition = ? AND wsid = ? AND bucket = ? AND ";

  /** No sequence has this id. */
  private static final int NEXT_OFFSET = 0;

  private final CqlSession session;
  private final String keyspace;

  CassandraRawAccess(CqlSession session, String keyspace) {
    this.session = session;
    this.keyspace = keyspace + ".";
  }

  private Row one(String statement, Object... values) {
    return session
        .execute(
            SimpleStatement.newInstance(statement, values)
                .setConsistencyLevel(DefaultConsistencyLevel.QUORUM))
        .one();
  }

  private Row layout(String application) {
    return one("SELECT * FROM " + keyspace + "applications WHERE application = ?", application);
  }

  private Buckets buckets(String application) {
    Row layout = layout(application);
    return new Buckets(layout.getInt("log_bucket_events"), layout.getInt("seq_data_buckets"));
  }

  private boolean isPut(String application) {
    return layout(application).getInt("trust_level") == 2;
  }

  private Row meta(String application, int partition) {
    return one(
        "SELECT * FROM " + keyspace + "partitions WHERE application = ? AND partition = ?",
        application,
        partition);
  }

  @Override
  public void putPLog(String application, int partition, long offset, byte[] stored) {
    long bucket = buckets(application).ofOffset(offset);
    ByteBuffer event = ByteBuffer.wrap(stored);
    if (isPut(application)) {
      String table = keyspace + "plog_puts";
      String key = " WHERE application = ? AND partition = ? AND bucket = ? AND offset = ?";
      Row old =
          one(
              "SELECT epoch, writetime(event) AS w FROM " + table + key,
              application,
              partition,
              bucket,
              offset);
      long epoch =
          old == null ? meta(application, partition).getLong("epoch") : old.getLong("epoch");
      long stamp = old == null ? PutLog.timestamp(epoch, 0) : old.getLong("w") + 1;
      one(
          "INSERT INTO "
              + table
              + " (application, partition, bucket, offset, epoch, event)"
              + " VALUES (?, ?, ?, ?, ?, ?) USING TIMESTAMP "
              + stamp,
          application,
          partition,
          bucket,
          offset,
          epoch,
          event);
      return;
    }
    one(
        "DELETE FROM "
            + keyspace
            + "plog WHERE application = ? AND partition = ? AND bucket = ? AND offset = ?"
            + " IF EXISTS",
        application,
        partition,
        bucket,
        offset);
    one(
        "INSERT INTO "
            + keyspace
            + "plog (application, partition, bucket, offset, write_id, event)"
            + " VALUES (?, ?, ?, ?, ?, ?) IF NOT EXISTS",
        application,
        partition,
        bucket,
        offset,
        UUID.randomUUID(),
        event);
  }

  /** Row and last offset are written together, so a loss takes both. */
  @Override
  public void removePLog(String application, int partition, long offset) {
    Buckets buckets = buckets(application);
    long bucket = buckets.ofOffset(offset);
    if (isPut(application)) {
      one(
          "DELETE FROM "
              + keyspace
              + "plog_puts USING TIMESTAMP "
              + PutLog.timestamp(meta(application, partition).getLong("epoch"), 1)
              + " WHERE application = ? AND partition = ? AND bucket = ? AND offset = ?",
          application,
          partition,
          bucket,
          offset);
      return;
    }
    String key = " WHERE application = ? AND partition = ? AND bucket = ?";
    one(
        "DELETE FROM " + keyspace + "plog" + key + " AND offset = ? IF EXISTS",
        application,
        partition,
        bucket,
        offset);
    one(
        "UPDATE " + keyspace + "plog SET last = ?" + key + " IF last = ?",
        offset - 1,
        application,
        partition,
        bucket,
        offset);
  }

  private void addBucket(String application, int partition, int kind, long wsid, long bucket) {
    one(
        "INSERT INTO "
            + keyspace
            + "row_buckets (application, partition, hash, kind, wsid, bucket)"
            + " VALUES (?, ?, ?, ?, ?, ?) USING TIMESTAMP 1",
        application,
        partition,
        buckets(application).ofWorkspace(wsid),
        kind,
        wsid,
        bucket);
  }

  /** A time stamp that wins over the row that is there, and is {@code natural} if there is none. */
  private long stamp(String table, String column, String key, long natural, Object... values) {
    Row old = one("SELECT writetime(" + column + ") AS w FROM " + table + key, values);
    return old == null || old.isNull("w") || old.getLong("w") < natural
        ? natural
        : old.getLong("w") + 1;
  }

  @Override
  public void putWLog(
      String application,
      int partition,
      long wsid,
      long wlogOffset,
      long plogOffset,
      byte[] payload) {
    long bucket = buckets(application).ofOffset(wlogOffset);
    addBucket(application, partition, RowBuckets.WLOG, wsid, bucket);
    Object[] key = {application, partition, wsid, bucket, wlogOffset};
    boolean isPut = isPut(application);
    String table = keyspace + (isPut ? "wlog_puts" : "wlog");
    String suffix = " IF NOT EXISTS";
    if (isPut) {
      suffix =
          " USING TIMESTAMP " + stamp(table, "payload", ROW + "wlog_offset = ?", plogOffset, key);
    } else {
      removeWLog(application, partition, wsid, wlogOffset);
    }
    one(
        "INSERT INTO "
            + table
            + " (application, partition, wsid, bucket, wlog_offset, plog_offset, payload)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?)"
            + suffix,
        application,
        partition,
        wsid,
        bucket,
        wlogOffset,
        plogOffset,
        ByteBuffer.wrap(payload));
  }

  @Override
  public void removeWLog(String application, int partition, long wsid, long wlogOffset) {
    Object[] key = {
      application, partition, wsid, buckets(application).ofOffset(wlogOffset), wlogOffset
    };
    if (isPut(application)) {
      String table = keyspace + "wlog_puts";
      long stamp = stamp(table, "payload", ROW + "wlog_offset = ?", 1, key) - 1;
      one("DELETE FROM " + table + " USING TIMESTAMP " + stamp + ROW + "wlog_offset = ?", key);
    } else {
      one("DELETE FROM " + keyspace + "wlog" + ROW + "wlog_offset = ? IF EXISTS", key);
    }
  }

  @Override
  public void putRecord(
      String application, int partition, long wsid, long recordId, long plogOffset, byte[] data) {
    long bucket = buckets(application).ofRecord(recordId);
    addBucket(application, partition, RowBuckets.RECORDS, wsid, bucket);
    Object[] key = {application, partition, wsid, bucket, recordId};
    one("DELETE FROM " + keyspace + "record_keys" + ROW + "record_id = ? IF EXISTS", key);
    String columns = " (application, partition, wsid, bucket, record_id, plog_offset, ";
    one(
        "INSERT INTO "
            + keyspace
            + "record_keys"
            + columns
            + "digest) VALUES (?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS",
        application,
        partition,
        wsid,
        bucket,
        recordId,
        plogOffset,
        ByteBuffer.wrap(RecordTable.digest(data)));
    one(
        "INSERT INTO "
            + keyspace
            + "records"
            + columns
            + "data) VALUES (?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP "
            + stamp(keyspace + "records", "data", ROW + "record_id = ?", plogOffset, key),
        application,
        partition,
        wsid,
        bucket,
        recordId,
        plogOffset,
        ByteBuffer.wrap(data));
  }

  @Override
  public void removeRecord(String application, int partition, long wsid, long recordId) {
    Object[] key = {
      application, partition, wsid, buckets(application).ofRecord(recordId), recordId
    };
    one("DELETE FROM " + keyspace + "record_keys" + ROW + "record_id = ? IF EXISTS", key);
    long stamp = stamp(keyspace + "records", "data", ROW + "record_id = ?", 1, key) - 1;
    one(
        "DELETE FROM " + keyspace + "records USING TIMESTAMP " + stamp + ROW + "record_id = ?",
        key);
  }

  private long generation(String application, int partition) {
    Row meta = meta(application, partition);
    return meta == null ? Meta.FRESH.generation() : meta.getLong("generation");
  }

  /**
   * A lower number cannot be written over a higher one: its time stamp would have to be the higher
   * one's, and then no later write would win. So the numbers move to a new generation without it.
   */
  private long withoutRow(String application, int partition, long wsid, int seqId) {
    long old = generation(application, partition);
    long next = meta(application, partition).getLong("last_generation") + 1;
    String key = " WHERE application = ? AND partition = ? AND generation = ?";
    for (int bucket = 0; bucket < buckets(application).hashes(); bucket++) {
      for (Row row :
          session.execute(
              SimpleStatement.newInstance(
                  "SELECT wsid, seq_id, number FROM "
                      + keyspace
                      + "numbers"
                      + key
                      + " AND bucket = ?",
                  application,
                  partition,
                  old,
                  bucket))) {
        if (row.getLong("wsid") != wsid || row.getInt("seq_id") != seqId) {
          insertNumber(
              application,
              partition,
              next,
              row.getLong("wsid"),
              row.getInt("seq_id"),
              row.getLong("number"));
        }
      }
    }
    Row offset =
        one(
            "SELECT next_offset FROM " + keyspace + "next_offsets" + key,
            application,
            partition,
            old);
    if (offset != null && seqId != NEXT_OFFSET) {
      insertOffset(application, partition, next, offset.getLong("next_offset"));
    }
    one(
        "UPDATE "
            + keyspace
            + "partitions SET generation = ?, last_generation = ?"
            + " WHERE application = ? AND partition = ? IF EXISTS",
        next,
        next,
        application,
        partition);
    return next;
  }

  private void insertNumber(
      String application, int partition, long generation, long wsid, int seqId, long number) {
    one(
        "INSERT INTO "
            + keyspace
            + "numbers (application, partition, generation, bucket, wsid, seq_id, number)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP "
            + number,
        application,
        partition,
        generation,
        buckets(application).ofWorkspace(wsid),
        wsid,
        seqId,
        number);
  }

  private void insertOffset(String application, int partition, long generation, long nextOffset) {
    one(
        "INSERT INTO "
            + keyspace
            + "next_offsets (application, partition, generation, next_offset)"
            + " VALUES (?, ?, ?, ?) USING TIMESTAMP "
            + nextOffset,
        application,
        partition,
        generation,
        nextOffset);
  }

  @Override
  public void putNumber(String application, int partition, long wsid, int seqId, long number) {
    long generation = generation(application, partition);
    Row old =
        one(
            "SELECT number FROM "
                + keyspace
                + "numbers WHERE application = ? AND partition = ? AND generation = ?"
                + " AND bucket = ? AND wsid = ? AND seq_id = ?",
            application,
            partition,
            generation,
            buckets(application).ofWorkspace(wsid),
            wsid,
            seqId);
    if (old != null && old.getLong("number") > number) {
      generation = withoutRow(application, partition, wsid, seqId);
    }
    insertNumber(application, partition, generation, wsid, seqId, number);
  }

  @Override
  public void putNextOffset(String application, int partition, long nextOffset) {
    long generation = generation(application, partition);
    Row old =
        one(
            "SELECT next_offset FROM "
                + keyspace
                + "next_offsets WHERE application = ? AND partition = ? AND generation = ?",
            application,
            partition,
            generation);
    if (old != null && old.getLong("next_offset") > nextOffset) {
      generation = withoutRow(application, partition, 0, NEXT_OFFSET);
    }
    insertOffset(application, partition, generation, nextOffset);
  }
}
