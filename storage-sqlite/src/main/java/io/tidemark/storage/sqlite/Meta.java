package io.tidemark.storage.sqlite;

import io.tidemark.spi.Epoch;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.PartitionInfo;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A partition's meta row.
 *
 * @param building the generation under construction, or 0
 * @param lastGeneration the highest number a generation ever had: none has it again
 */
record Meta(
    Epoch epoch,
    String owner,
    long generation,
    long building,
    long lastGeneration,
    @Nullable PartitionFailure failure) {
  static final long NO_GENERATION = 0;
  private static final long FIRST_GENERATION = 1;

  /** What is not stored until the first claim. */
  private static final Meta FRESH =
      new Meta(Epoch.NONE, "", FIRST_GENERATION, NO_GENERATION, FIRST_GENERATION, null);

  static Meta read(Session session, long app, int partition) throws SQLException {
    return session
        .first(
            """
            SELECT epoch, claim_id, owner, generation, building, last_generation,
              failure_key, failure_cause
            FROM tidemark_partition WHERE app = ? AND part = ?""",
            Meta::of,
            app,
            partition)
        .orElse(FRESH);
  }

  private static Meta of(ResultSet row) throws SQLException {
    String key = row.getString(7);
    return new Meta(
        new Epoch(row.getLong(1), uuid(row.getBytes(2))),
        row.getString(3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        key == null ? null : new PartitionFailure(key, row.getString(8)));
  }

  void write(Session session, long app, int partition) throws SQLException {
    session.update(
        "INSERT OR REPLACE INTO tidemark_partition VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        app,
        partition,
        epoch.number(),
        bytes(epoch.claimId()),
        owner,
        generation,
        building,
        lastGeneration,
        failure == null ? null : failure.key(),
        failure == null ? null : failure.cause());
  }

  boolean isFresh() {
    return epoch.equals(Epoch.NONE);
  }

  PartitionInfo info() {
    return new PartitionInfo(epoch, owner, generation, failure);
  }

  Meta withEpoch(Epoch next, String holder) {
    return new Meta(next, holder, generation, building, lastGeneration, failure);
  }

  Meta withFailure(@Nullable PartitionFailure next) {
    return new Meta(epoch, owner, generation, building, lastGeneration, next);
  }

  Meta withBuilding(long target) {
    return new Meta(epoch, owner, generation, target, target, failure);
  }

  Meta withGeneration(long target) {
    return new Meta(epoch, owner, target, NO_GENERATION, lastGeneration, failure);
  }

  static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  private static UUID uuid(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new UUID(in.getLong(), in.getLong());
  }
}
