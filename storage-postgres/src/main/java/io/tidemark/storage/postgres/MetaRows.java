package io.tidemark.storage.postgres;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.PartitionInfo;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads and claims partitions. */
final class MetaRows {
  private static final int ATTEMPTS = 5;
  private static final String COLUMNS =
      "epoch, claim_id, owner, generation, building, failure_key, failure_cause, failure_changes";
  private static final String READ =
      "SELECT " + COLUMNS + " FROM $.partition WHERE app = ? AND partition = ?";

  /**
   * Conditional on the epoch that was read, so that a claim that arrives late does not take the
   * partition from somebody who claimed it since. It answers the row as it is then, in one
   * statement: a second one could fail, and "nothing was written" would not be true.
   */
  private static final String CLAIM =
      "UPDATE $.partition SET epoch = ?, claim_id = ?, owner = ?"
          + " WHERE app = ? AND partition = ? AND epoch = ? AND claim_id = ? RETURNING "
          + COLUMNS;

  private final Database database;

  MetaRows(Database database) {
    this.database = database;
  }

  MetaRow read(PartitionKey key) {
    return database
        .query(
            "reading " + key,
            READ,
            binder -> binder.number(key.app()).number(key.partition()),
            MetaRows::row)
        .stream()
        .findFirst()
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
      Optional<MetaRow> claimed = move(key, owner, from, to);
      if (claimed.isPresent()) {
        return claimed.get();
      }
    }
    throw new StorageUnavailableException(
        "claiming " + key + " lost against other owners " + ATTEMPTS + " times; claim again");
  }

  /** The row after the move; empty if the epoch is no longer {@code from}. */
  private Optional<MetaRow> move(PartitionKey key, String owner, Epoch from, Epoch to) {
    String what = "claim of " + key;
    return database.write(
        what,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(database.sql(CLAIM))) {
            new Binder(statement)
                .bigint(to.number())
                .object(to.claimId())
                .text(owner)
                .number(key.app())
                .number(key.partition())
                .bigint(from.number())
                .object(from.claimId());
            try (ResultSet rows = statement.executeQuery()) {
              Optional<MetaRow> claimed = rows.next() ? Optional.of(row(rows)) : Optional.empty();
              Database.requireNoWarning(what, statement);
              return claimed;
            }
          }
        });
  }
}
