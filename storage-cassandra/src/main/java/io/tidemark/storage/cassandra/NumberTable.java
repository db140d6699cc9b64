package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.tidemark.spi.IPartitionReader.NumberVisitor;
import io.tidemark.spi.SeqValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * SeqData. The time stamp of a number is the number itself, so the larger one stays, whoever writes
 * last; and so with the next offset. Never written with a clock's time stamp: that would win for
 * ever.
 */
final class NumberTable {
  /** Above all numbers: whatever arrives late in a deleted generation is deleted too. */
  private static final long AFTER_ALL = Long.MAX_VALUE;

  private static final int BATCH = 100;
  private static final int PAGE = 1000;
  private static final String GENERATION =
      " WHERE application = :application AND partition = :partition AND generation = :generation";
  private static final String BUCKET = GENERATION + " AND bucket = :bucket";

  private final Cql cql;
  private final String application;
  private final Buckets buckets;
  private final PreparedStatement read;
  private final PreparedStatement scan;
  private final PreparedStatement count;
  private final PreparedStatement write;
  private final PreparedStatement readOffset;
  private final PreparedStatement writeOffset;
  private final PreparedStatement delete;
  private final PreparedStatement deleteOffset;

  NumberTable(Cql cql, String keyspace, String application, Buckets buckets) {
    this.cql = cql;
    this.application = application;
    this.buckets = buckets;
    String numbers = keyspace + ".numbers";
    String offsets = keyspace + ".next_offsets";
    read = cql.prepare("SELECT seq_id, number FROM " + numbers + BUCKET + " AND wsid = :wsid");
    scan = cql.prepare("SELECT wsid, seq_id, number FROM " + numbers + BUCKET);
    count = cql.prepare("SELECT count(*) AS rows FROM " + numbers + BUCKET);
    write =
        cql.prepare(
            "INSERT INTO "
                + numbers
                + " (application, partition, generation, bucket, wsid, seq_id, number) VALUES"
                + " (:application, :partition, :generation, :bucket, :wsid, :seq_id, :number)"
                + " USING TIMESTAMP :stamp");
    readOffset = cql.prepare("SELECT next_offset FROM " + offsets + GENERATION);
    writeOffset =
        cql.prepare(
            "INSERT INTO "
                + offsets
                + " (application, partition, generation, next_offset) VALUES"
                + " (:application, :partition, :generation, :next_offset) USING TIMESTAMP :stamp");
    delete = cql.prepare("DELETE FROM " + numbers + " USING TIMESTAMP :stamp" + BUCKET);
    deleteOffset = cql.prepare("DELETE FROM " + offsets + " USING TIMESTAMP :stamp" + GENERATION);
  }

  private BoundStatementBuilder in(PreparedStatement statement, int partition, long generation) {
    return statement
        .boundStatementBuilder()
        .setString("application", application)
        .setInt("partition", partition)
        .setLong("generation", generation);
  }

  long[] read(int partition, long generation, long wsid, int[] seqIds) {
    long[] answer = new long[seqIds.length];
    Statement<?> statement =
        in(read, partition, generation)
            .setInt("bucket", buckets.ofWorkspace(wsid))
            .setLong("wsid", wsid)
            .setPageSize(PAGE)
            .build();
    cql.scan(
        "read numbers",
        statement,
        row -> {
          int seqId = row.getInt("seq_id");
          for (int i = 0; i < seqIds.length; i++) {
            if (seqIds[i] == seqId) {
              answer[i] = row.getLong("number");
            }
          }
          return true;
        });
    return answer;
  }

  long readNextOffset(int partition, long generation) {
    Row row = cql.readOne("read the next offset", in(readOffset, partition, generation).build());
    return row == null || row.isNull("next_offset") ? 1 : row.getLong("next_offset");
  }

  /** One generation's values on their way. */
  record Batch(int partition, long generation, SeqValues values, long nextOffset) {
    Batch {
      if (nextOffset < 1) {
        throw new IllegalArgumentException("nextOffset must be >= 1, was " + nextOffset);
      }
    }
  }

  /** Writes all values; when all of them are acknowledged, the offsets. */
  void write(List<Batch> batches) {
    List<Statement<?>> values = new ArrayList<>();
    List<Statement<?>> offsets = new ArrayList<>();
    for (Batch batch : batches) {
      values.addAll(values(batch));
      offsets.add(
          in(writeOffset, batch.partition, batch.generation)
              .setLong("next_offset", batch.nextOffset)
              .setLong("stamp", batch.nextOffset)
              .build());
    }
    cql.writeAll("write numbers", values);
    if (values.isEmpty()) {
      cql.writeAll("write the next offset", offsets);
    } else {
      Cql.afterWriting("numbers", () -> cql.writeAll("write the next offset", offsets));
    }
  }

  /** One batch per bucket, and not too long: a batch on one Cassandra partition is one write. */
  private List<Statement<?>> values(Batch batch) {
    Map<Integer, List<BatchableStatement<?>>> byBucket = new TreeMap<>();
    for (int i = 0; i < batch.values.size(); i++) {
      long wsid = batch.values.wsid(i);
      int bucket = buckets.ofWorkspace(wsid);
      byBucket
          .computeIfAbsent(bucket, unused -> new ArrayList<>())
          .add(
              in(write, batch.partition, batch.generation)
                  .setInt("bucket", bucket)
                  .setLong("wsid", wsid)
                  .setInt("seq_id", batch.values.seqId(i))
                  .setLong("number", batch.values.number(i))
                  .setLong("stamp", batch.values.number(i))
                  .build());
    }
    List<Statement<?>> statements = new ArrayList<>();
    for (List<BatchableStatement<?>> rows : byBucket.values()) {
      for (int from = 0; from < rows.size(); from += BATCH) {
        statements.add(
            BatchStatement.newInstance(
                DefaultBatchType.UNLOGGED,
                rows.subList(from, Math.min(from + BATCH, rows.size()))));
      }
    }
    return statements;
  }

  void scan(int partition, long generation, NumberVisitor visitor) {
    for (int bucket = 0; bucket < buckets.hashes(); bucket++) {
      Statement<?> statement =
          in(scan, partition, generation).setInt("bucket", bucket).setPageSize(PAGE).build();
      if (!cql.scan(
          "scan numbers",
          statement,
          row -> visitor.visit(row.getLong("wsid"), row.getInt("seq_id"), row.getLong("number")))) {
        return;
      }
    }
  }

  /** How many rows a bucket holds; the server reads them all to say it. */
  long count(int partition, long generation, int bucket) {
    Row row =
        cql.readOne(
            "count numbers", in(count, partition, generation).setInt("bucket", bucket).build());
    return row == null ? 0 : row.getLong("rows");
  }

  void delete(int partition, long generation) {
    List<Statement<?>> statements = new ArrayList<>();
    for (int bucket = 0; bucket < buckets.hashes(); bucket++) {
      statements.add(
          in(delete, partition, generation)
              .setInt("bucket", bucket)
              .setLong("stamp", AFTER_ALL)
              .build());
    }
    statements.add(in(deleteOffset, partition, generation).setLong("stamp", AFTER_ALL).build());
    cql.writeAll("delete SeqData generation " + generation, statements);
  }
}
