package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.PLogEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The log at level 2: plain puts, each with a time stamp made from its epoch, so that whatever
 * arrives late loses against what a later epoch wrote.
 *
 * <p>The meta row keeps the end of the log as of its epoch. Beyond that end a row is in the log
 * only if the current epoch wrote it: a row of an earlier epoch there arrived after its owner was
 * gone, and is overwritten by the next put. This orders owners, it does not refuse them: it is for
 * a single owner.
 *
 * <p>The epoch moves first, and only then the tail that the one before it left is read and its end
 * stored. Read before the move, a row might arrive and be shown to somebody in between, and be cut
 * off. What a reader has shown was on a majority while the meta row still named the epoch of it, so
 * a tail read after the move sees it. Whoever meets an end that is not decided decides it.
 */
final class PutLog implements PartitionLog {
  /** Above every clock that counts microseconds, below the end of all numbers. */
  private static final long TIMESTAMP_BASE = 1L << 62;

  /** Repeated puts that one epoch tells apart. */
  static final int REPEAT_BITS = 20;

  private static final long MAX_EPOCH = (1L << (62 - REPEAT_BITS)) - 1;
  private static final int TAIL_PAGE = 20;
  private static final int TAIL_ATTEMPTS = 10;
  private static final String BUCKET =
      " WHERE application = :application AND partition = :partition AND bucket = :bucket";

  private final Cql cql;
  private final MetaTable meta;
  private final String application;
  private final int partition;
  private final Buckets buckets;
  private final Statements statements;

  PutLog(
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
    final PreparedStatement put;

    Statements(Cql cql, String keyspace) {
      String table = keyspace + ".plog_puts";
      tail =
          cql.prepare(
              "SELECT offset, epoch, event FROM "
                  + table
                  + BUCKET
                  + " AND offset > :end ORDER BY offset DESC");
      page =
          cql.prepare(
              "SELECT offset, epoch, event FROM "
                  + table
                  + BUCKET
                  + " AND offset >= :first AND offset <= :last LIMIT :rows");
      put =
          cql.prepare(
              "INSERT INTO "
                  + table
                  + " (application, partition, bucket, offset, epoch, event) VALUES"
                  + " (:application, :partition, :bucket, :offset, :epoch, :event)"
                  + " USING TIMESTAMP :stamp");
    }
  }

  /** The time stamp of a put: later epochs above earlier ones, repetitions in order. */
  static long timestamp(long epoch, long repeat) {
    if (epoch > MAX_EPOCH || repeat >> REPEAT_BITS != 0) {
      throw new StorageUnavailableException(
          "epoch %d, repetition %d: too many for a time stamp; settle".formatted(epoch, repeat));
    }
    return TIMESTAMP_BASE + (epoch << REPEAT_BITS) + repeat;
  }

  private BoundStatementBuilder in(PreparedStatement statement, long bucket) {
    return statement
        .boundStatementBuilder()
        .setString("application", application)
        .setInt("partition", partition)
        .setLong("bucket", bucket);
  }

  @Override
  public long end(Meta given) {
    Meta meta = given;
    for (int attempt = 0; attempt < TAIL_ATTEMPTS; attempt++) {
      meta = decided(meta);
      Tail tail = tail(meta);
      if (!tail.isOvertaken) {
        makeWhole(meta, tail);
        return tail.end;
      }
      meta = meta();
    }
    throw tooFast();
  }

  @Override
  public Meta decided(Meta given) {
    Meta meta = given;
    for (int attempt = 0; attempt < TAIL_ATTEMPTS; attempt++) {
      if (meta.isDecided()) {
        return meta;
      }
      Tail tail = tail(meta);
      if (!tail.isOvertaken) {
        makeWhole(meta, tail);
        decide(meta, tail.end);
      }
      meta = meta();
    }
    throw tooFast();
  }

  /** Whoever comes first decides; done by several, all find the same afterwards. */
  private void decide(Meta undecided, long end) {
    try {
      meta.decide(partition, undecided, end);
    } catch (OutcomeUnknownException e) {
      throw new StorageUnavailableException(
          "the end of the log of partition %d is being decided; try again".formatted(partition), e);
    }
  }

  private StorageUnavailableException tooFast() {
    return new StorageUnavailableException(
        "partition %d changes hands too fast; read again".formatted(partition));
  }

  private static final class Tail {
    long end;
    boolean isOvertaken;
    byte[] last = {};
  }

  /**
   * A put that timed out may lie on one replica alone, and what is read of it is copied to a second
   * one column by column, row by row: whole rows of the whole group must be read before the log is
   * said to end there.
   */
  private void makeWhole(Meta meta, Tail tail) {
    if (tail.end == meta.logEnd()) {
      return;
    }
    if (tail.last.length == 0) {
      throw notYet(tail.end);
    }
    for (long next = Math.max(meta.logEnd() + 1, groupFirst(tail)); next <= tail.end; ) {
      List<EventRow> rows = page(next, tail.end, TAIL_PAGE);
      if (rows.isEmpty() || rows.get(0).offset() != next || rows.get(0).bytes().length == 0) {
        throw notYet(next);
      }
      next++;
      for (int i = 1; i < rows.size() && rows.get(i).offset() == next; i++) {
        next++;
      }
    }
  }

  /** Where the last group begins; what cannot be read is its reader's matter. */
  private static long groupFirst(Tail tail) {
    try {
      return PLogEvent.fromBytes(tail.end, tail.last).header().groupFirst();
    } catch (StorageCorruptedException e) {
      return tail.end;
    }
  }

  private StorageUnavailableException notYet(long offset) {
    return new StorageUnavailableException(
        "PLog offset %d of partition %d is not on enough replicas yet; read again"
            .formatted(offset, partition));
  }

  /** The highest offset that the meta row's writer put; rows of earlier ones are passed over. */
  private Tail tail(Meta meta) {
    Tail tail = new Tail();
    tail.end = meta.logEnd();
    cql.scan(
        "read the end of the log",
        in(statements.tail, meta.openBucket())
            .setLong("end", meta.logEnd())
            .setPageSize(TAIL_PAGE)
            .build(),
        row -> {
          long epoch = row.getLong("epoch");
          tail.isOvertaken = epoch > meta.writer();
          if (epoch == meta.writer()) {
            tail.end = row.getLong("offset");
            tail.last = EventRow.bytes(row, "event");
          }
          return epoch < meta.writer();
        });
    return tail;
  }

  @Override
  public long endToStore(Meta meta) {
    return meta.isFresh() ? 0 : Meta.undecided(meta.logEnd());
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
            false)) {
      rows.add(
          new EventRow(row.getLong("offset"), row.getLong("epoch"), EventRow.bytes(row, "event")));
    }
    return rows;
  }

  /** Nothing to do: the meta row's epoch is what orders the puts. */
  @Override
  public void fence(long bucket, Epoch epoch) {}

  void put(Epoch epoch, List<PLogEvent> group, long repeat) {
    long bucket = buckets.ofOffset(group.get(0).offset());
    long stamp = timestamp(epoch.number(), repeat);
    BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.UNLOGGED);
    for (PLogEvent event : group) {
      batch.addStatement(
          in(statements.put, bucket)
              .setLong("offset", event.offset())
              .setLong("epoch", epoch.number())
              .setByteBuffer("event", ByteBuffer.wrap(event.toBytes()))
              .setLong("stamp", stamp)
              .build());
    }
    cql.write("put PLog offset " + group.get(0).offset(), batch.build());
  }

  Meta meta() {
    return meta.read(partition);
  }

  boolean openNext(Epoch epoch, long open) {
    return meta.openNext(partition, epoch, open, buckets.last(open));
  }

  Buckets buckets() {
    return buckets;
  }

  @Override
  public Appender appender(Meta claimed) {
    return new PutAppender(this, claimed);
  }
}
