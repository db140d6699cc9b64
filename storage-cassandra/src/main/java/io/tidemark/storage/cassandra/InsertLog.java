package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.PLogEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The log at levels 0 and 1: every append is one conditional batch on one Cassandra partition.
 *
 * <p>Each bucket has its own static (epoch, claim id, last offset). An append needs all three as it
 * expects them: the first two fence, the third is the predecessor. Only the open bucket takes
 * appends, and the meta row names it before it opens, so a claim that moved the meta row knows the
 * one bucket that it must fence.
 */
final class InsertLog implements PartitionLog {
  private static final int FENCE_ATTEMPTS = 100;
  private static final String BUCKET =
      " WHERE application = :application AND partition = :partition AND bucket = :bucket";

  private final Cql cql;
  private final MetaTable meta;
  private final String application;
  private final int partition;
  private final Buckets buckets;
  private final Statements statements;

  InsertLog(
      Cql cql,
      MetaTable meta,
      Statements statements,
      String application,
      int partition,
      Buckets buckets) {
    this.cql = cql;
    this.meta = meta;
    this.statements = statements;
    this.application = application;
    this.partition = partition;
    this.buckets = buckets;
  }

  /** Prepared once for all partitions. */
  static final class Statements {
    final PreparedStatement tail;
    final PreparedStatement page;
    final PreparedStatement writeIds;
    final PreparedStatement first;
    final PreparedStatement take;
    final PreparedStatement advance;
    final PreparedStatement insert;

    Statements(Cql cql, String keyspace) {
      String table = keyspace + ".plog";
      String range = BUCKET + " AND offset >= :first AND offset <= :last";
      tail =
          cql.prepare(
              "SELECT offset, epoch, claim_id, last FROM "
                  + table
                  + BUCKET
                  + " ORDER BY offset DESC LIMIT 1");
      page = cql.prepare("SELECT offset, event FROM " + table + range + " LIMIT :rows");
      writeIds = cql.prepare("SELECT offset, write_id FROM " + table + range);
      String take = "UPDATE " + table + " SET epoch = :next_epoch, claim_id = :next_claim_id";
      this.first = cql.prepare(take + ", last = :last" + BUCKET + " IF epoch = null");
      this.take = cql.prepare(take + BUCKET + " IF epoch = :epoch AND claim_id = :claim_id");
      advance =
          cql.prepare(
              "UPDATE "
                  + table
                  + " SET last = :last"
                  + BUCKET
                  + " IF epoch = :epoch AND claim_id = :claim_id AND last = :before");
      insert =
          cql.prepare(
              "INSERT INTO "
                  + table
                  + " (application, partition, bucket, offset, write_id, event) VALUES"
                  + " (:application, :partition, :bucket, :offset, :write_id, :event)"
                  + " IF NOT EXISTS");
    }
  }

  /**
   * The state of a bucket.
   *
   * @param epoch whose appends it takes; null if it was never opened
   * @param last the last offset appended
   * @param highest the highest offset that has a row; differs from {@code last} after damage only
   */
  record Bucket(@Nullable Epoch epoch, long last, long highest) {}

  Bucket bucket(long bucket) {
    Row row = cql.readOneSerial("read log bucket " + bucket, in(statements.tail, bucket).build());
    long before = buckets.first(bucket) - 1;
    if (row == null) {
      return new Bucket(null, before, before);
    }
    UUID claimId = row.getUuid("claim_id");
    Epoch epoch = claimId == null ? null : new Epoch(row.getLong("epoch"), claimId);
    long last = row.isNull("last") ? before : row.getLong("last");
    return new Bucket(epoch, last, row.isNull("offset") ? before : row.getLong("offset"));
  }

  BoundStatementBuilder in(PreparedStatement statement, long bucket) {
    return statement
        .boundStatementBuilder()
        .setString("application", application)
        .setInt("partition", partition)
        .setLong("bucket", bucket);
  }

  @Override
  public long end(Meta meta) {
    Bucket open = bucket(meta.openBucket());
    return Math.max(open.last(), open.highest());
  }

  @Override
  public long endToStore(Meta meta) {
    return 0;
  }

  /** The epoch of a bucket decides. */
  @Override
  public Meta decided(Meta meta) {
    return meta;
  }

  @Override
  public List<EventRow> page(long from, long to, int limit) {
    long bucket = buckets.ofOffset(from);
    List<EventRow> rows = new ArrayList<>();
    for (Row row :
        cql.readPage(
            "read the log from offset " + from,
            in(statements.page, bucket)
                .setLong("first", from)
                .setLong("last", Math.min(to, buckets.last(bucket)))
                .setInt("rows", limit)
                .setPageSize(limit)
                .build(),
            true)) {
      rows.add(new EventRow(row.getLong("offset"), 0, EventRow.bytes(row, "event")));
    }
    return rows;
  }

  /** The write ids stored at these offsets, null where there is no row. */
  @Nullable UUID[] writeIds(long first, int count) {
    @Nullable UUID[] found = new UUID[count];
    for (Row row :
        cql.readPage(
            "look for PLog offset " + first,
            in(statements.writeIds, buckets.ofOffset(first))
                .setLong("first", first)
                .setLong("last", first + count - 1)
                .build(),
            true)) {
      found[(int) (row.getLong("offset") - first)] = row.getUuid("write_id");
    }
    return found;
  }

  @Override
  public void fence(long bucket, Epoch epoch) {
    for (int attempt = 0; attempt < FENCE_ATTEMPTS; attempt++) {
      Epoch now = bucket(bucket).epoch();
      if (now != null && now.number() >= epoch.number()) {
        return;
      }
      BoundStatementBuilder take =
          in(now == null ? statements.first : statements.take, bucket)
              .setLong("next_epoch", epoch.number())
              .setUuid("next_claim_id", epoch.claimId());
      take =
          now == null
              ? take.setLong("last", buckets.first(bucket) - 1)
              : take.setLong("epoch", now.number()).setUuid("claim_id", now.claimId());
      if (cql.writeIf("fence log bucket " + bucket, take.build()).isApplied()) {
        return;
      }
    }
    throw new StorageUnavailableException(
        "log bucket %d of partition %d changes hands too fast; claim again"
            .formatted(bucket, partition));
  }

  /** One group in one conditional batch; whether it was applied. */
  boolean insert(Epoch epoch, List<PLogEvent> group) {
    long first = group.get(0).offset();
    long bucket = buckets.ofOffset(first);
    BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.LOGGED);
    batch.addStatement(
        in(statements.advance, bucket)
            .setLong("last", first + group.size() - 1)
            .setLong("before", first - 1)
            .setLong("epoch", epoch.number())
            .setUuid("claim_id", epoch.claimId())
            .build());
    for (PLogEvent event : group) {
      batch.addStatement(
          in(statements.insert, bucket)
              .setLong("offset", event.offset())
              .setUuid("write_id", event.header().writeId())
              .setByteBuffer("event", ByteBuffer.wrap(event.toBytes()))
              .build());
    }
    return cql.writeIf("append PLog offset " + first, batch.build()).isApplied();
  }

  Meta meta() {
    return meta.read(partition);
  }

  boolean openNext(Epoch epoch, long open) {
    return meta.openNext(partition, epoch, open, 0);
  }

  Buckets buckets() {
    return buckets;
  }

  @Override
  public Appender appender(Meta claimed) {
    return new InsertAppender(this, claimed.openBucket());
  }
}
