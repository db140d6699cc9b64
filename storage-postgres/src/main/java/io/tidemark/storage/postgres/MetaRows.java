package io.tidemark.storage.postgres;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.PartitionInfo;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads and claims partitions. */
final class MetaRows {
  private static final int ATTEMPTS = 5;
  private static final String READ =
      "SELECT epoch, claim_id, owner, generation, building, failure_key, failure_cause,"
          + " failure_changes FROM $.partition WHERE app = :app AND partition = :partition";

  /**
   * Conditional on the epoch that was read, so that a claim that arrives late does not take the
   * partition from somebody who claimed it since.
   */
  private static final String CLAIM =
      "UPDATE $.partition SET epoch = :to, claim_id = :toClaim, owner = :owner"
          + " WHERE app = :app AND partition = :partition AND epoch = :epoch AND claim_id = :claim";

  private final Database database;

  MetaRows(Database database) {
    this.database = database;
  }

  MetaRow read(PartitionKey key) {
    return database
        .handle(
            "reading " + key,
            Phase.READ,
            handle ->
                handle
                    .createQuery(database.sql(READ))
                    .bind("app", key.app())
                    .bind("partition", key.partition())
                    .map((row, context) -> row(row))
                    .findOne())
        .orElseThrow(
            () ->
                new StorageCorruptedException(
                    key + " has no row; restore the table partition from a backup"));
  }

  private static MetaRow row(ResultSet row) throws SQLException {
    Epoch epoch = new Epoch(row.getLong("epoch"), row.getObject("claim_id", UUID.class));
    PartitionFailure failure =
        failure(row.getString("failure_key"), row.getString("failure_cause"));
    PartitionInfo info =
        new PartitionInfo(epoch, row.getString("owner"), row.getLong("generation"), failure);
    return new MetaRow(info, row.getLong("building"), row.getLong("failure_changes"));
  }

  private static @Nullable PartitionFailure failure(@Nullable String key, @Nullable String cause) {
    return key == null ? null : new PartitionFailure(key, cause == null ? "" : cause);
  }

  /** Moves the partition to a new epoch and answers the row as it is then. */
  MetaRow claim(PartitionKey key, String owner) {
    for (int i = 0; i < ATTEMPTS; i++) {
      MetaRow now = read(key);
      Epoch from = now.info().epoch();
      Epoch to = from.next(UUID.randomUUID());
      if (move(key, owner, from, to)) {
        // The generation may have been switched between the two statements.
        MetaRow claimed = read(key);
        PartitionInfo info = claimed.info();
        return new MetaRow(
            new PartitionInfo(to, owner, info.generation(), info.failure()),
            claimed.building(),
            claimed.failureChanges());
      }
    }
    throw new StorageUnavailableException(
        "claiming " + key + " lost against other owners " + ATTEMPTS + " times; claim again");
  }

  private boolean move(PartitionKey key, String owner, Epoch from, Epoch to) {
    return database.handle(
        "claim of " + key,
        Phase.WRITE,
        handle ->
            handle
                    .createUpdate(database.sql(CLAIM))
                    .bind("app", key.app())
                    .bind("partition", key.partition())
                    .bind("epoch", from.number())
                    .bind("claim", from.claimId())
                    .bind("to", to.number())
                    .bind("toClaim", to.claimId())
                    .bind("owner", owner)
                    .execute()
                == 1);
  }
}
