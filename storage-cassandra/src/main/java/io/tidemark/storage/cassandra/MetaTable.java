package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.PartitionFailure;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The meta rows. Every change is conditional on the epoch it was decided under. */
final class MetaTable {
  private static final String KEY = " WHERE application = :application AND partition = :partition";
  private static final String OWNED = KEY + " IF epoch = :epoch AND claim_id = :claim_id";

  private final Cql cql;
  private final String application;
  private final PreparedStatement read;
  private final PreparedStatement insert;
  private final PreparedStatement move;
  private final PreparedStatement decide;
  private final PreparedStatement open;
  private final PreparedStatement fail;
  private final PreparedStatement clear;
  private final PreparedStatement build;
  private final PreparedStatement activate;
  private final PreparedStatement mark;

  MetaTable(Cql cql, String keyspace, String application) {
    this.cql = cql;
    this.application = application;
    String table = keyspace + ".partitions";
    String update = "UPDATE " + table + " SET ";
    read =
        cql.prepare(
            "SELECT epoch, claim_id, owner, open_bucket, log_end, generation, building,"
                + " last_generation, failed, failure_key, failure_cause, corrupted FROM "
                + table
                + KEY);
    insert =
        cql.prepare(
            "INSERT INTO "
                + table
                + " (application, partition, epoch, claim_id, owner, open_bucket, log_end,"
                + " generation, building, last_generation, failed) VALUES (:application,"
                + " :partition, :epoch, :claim_id, :owner, 0, :log_end, 1, 0, 1, false)"
                + " IF NOT EXISTS");
    move =
        cql.prepare(
            update
                + "epoch = :next_epoch, claim_id = :next_claim_id, owner = :owner,"
                + " log_end = :next_log_end"
                + OWNED
                + " AND open_bucket = :open_bucket AND log_end = :log_end");
    decide = cql.prepare(update + "log_end = :next_log_end" + OWNED + " AND log_end = :log_end");
    open =
        cql.prepare(
            update
                + "open_bucket = :next_bucket, log_end = :next_log_end"
                + OWNED
                + " AND open_bucket = :open_bucket");
    fail =
        cql.prepare(
            update
                + "failed = true, failure_key = :failure_key, failure_cause = :failure_cause"
                + OWNED);
    clear = cql.prepare(update + "failed = false" + OWNED);
    build =
        cql.prepare(
            update
                + "building = :building, last_generation = :building"
                + OWNED
                + " AND building = 0 AND last_generation = :last_generation");
    activate =
        cql.prepare(
            update + "generation = :building, building = 0" + OWNED + " AND building = :building");
    mark = cql.prepare(update + "corrupted = corrupted + :offsets" + OWNED);
  }

  /** The meta row, after every change under way was completed or ruled out. */
  Meta read(int partition) {
    Row row = cql.readOneSerial("read the meta row", bound(read, partition).build());
    return row == null ? Meta.FRESH : meta(row);
  }

  /** The generation in use, as of now. */
  long generation(int partition) {
    Row row = cql.readOne("read the generation", bound(read, partition).build());
    return row == null ? Meta.FRESH.generation() : row.getLong("generation");
  }

  private static Meta meta(Row row) {
    UUID claimId = row.getUuid("claim_id");
    Set<Long> corrupted = row.getSet("corrupted", Long.class);
    long logEnd = row.getLong("log_end");
    return new Meta(
        new Epoch(row.getLong("epoch"), claimId == null ? Epoch.NONE.claimId() : claimId),
        text(row, "owner"),
        row.getLong("open_bucket"),
        logEnd < 0 ? Meta.undecided(logEnd) : logEnd,
        logEnd >= 0,
        row.getLong("generation"),
        row.getLong("building"),
        row.getLong("last_generation"),
        row.getBoolean("failed")
            ? new PartitionFailure(text(row, "failure_key"), text(row, "failure_cause"))
            : null,
        corrupted == null ? Set.of() : Set.copyOf(corrupted));
  }

  private static String text(Row row, String column) {
    String text = row.getString(column);
    return text == null ? "" : text;
  }

  private BoundStatementBuilder bound(PreparedStatement statement, int partition) {
    return statement
        .boundStatementBuilder()
        .setString("application", application)
        .setInt("partition", partition);
  }

  private BoundStatementBuilder owned(PreparedStatement statement, int partition, Epoch epoch) {
    return bound(statement, partition)
        .setLong("epoch", epoch.number())
        .setUuid("claim_id", epoch.claimId());
  }

  private boolean apply(String what, BoundStatementBuilder statement) {
    return cql.writeIf(what, statement.build()).isApplied();
  }

  /** Moves a partition from what was read, and is decided, to a new epoch. */
  boolean move(int partition, Meta from, Epoch to, String owner, long logEnd) {
    if (from.isFresh()) {
      return apply(
          "claim partition " + partition,
          owned(insert, partition, to).setString("owner", owner).setLong("log_end", logEnd));
    }
    return apply(
        "move the epoch of partition " + partition,
        owned(move, partition, from.epoch())
            .setLong("next_epoch", to.number())
            .setUuid("next_claim_id", to.claimId())
            .setString("owner", owner)
            .setLong("next_log_end", logEnd)
            .setLong("open_bucket", from.openBucket())
            .setLong("log_end", from.logEnd()));
  }

  /** Stores the end of the log that the epoch before this one left. */
  boolean decide(int partition, Meta undecided, long logEnd) {
    return apply(
        "store the end of the log",
        owned(decide, partition, undecided.epoch())
            .setLong("next_log_end", logEnd)
            .setLong("log_end", Meta.undecided(undecided.logEnd())));
  }

  /** Opens the bucket after {@code open}. */
  boolean openNext(int partition, Epoch epoch, long open, long logEnd) {
    return apply(
        "open log bucket " + (open + 1),
        owned(this.open, partition, epoch)
            .setLong("next_bucket", open + 1)
            .setLong("next_log_end", logEnd)
            .setLong("open_bucket", open));
  }

  boolean storeFailure(int partition, Epoch epoch, @Nullable PartitionFailure failure) {
    if (failure == null) {
      return apply("clear the failure", owned(clear, partition, epoch));
    }
    return apply(
        "store the failure",
        owned(fail, partition, epoch)
            .setString("failure_key", failure.key())
            .setString("failure_cause", failure.cause()));
  }

  boolean startBuilding(int partition, Epoch epoch, Meta from) {
    return apply(
        "begin a SeqData generation",
        owned(build, partition, epoch)
            .setLong("building", from.lastGeneration() + 1)
            .setLong("last_generation", from.lastGeneration()));
  }

  boolean activate(int partition, Epoch epoch, long generation) {
    return apply(
        "switch to SeqData generation " + generation,
        owned(activate, partition, epoch).setLong("building", generation));
  }

  boolean markCorrupted(int partition, Epoch epoch, long offset) {
    return apply(
        "mark PLog offset " + offset,
        owned(mark, partition, epoch).setSet("offsets", Set.of(offset), Long.class));
  }
}
