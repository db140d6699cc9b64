package io.tidemark.storage.postgres;

import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.Epoch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Takes an application's sequences over. The claim waits for transactions that have put a value and
 * are still open; when its patience ends it names who holds it up.
 */
final class SequenceClaim {
  private static final int ATTEMPTS = 5;
  private static final String READ = "SELECT epoch, claim_id FROM $.sequence_owner WHERE app = ?";
  private static final String MOVE =
      "UPDATE $.sequence_owner SET epoch = ?, claim_id = ?, owner = ?"
          + " WHERE app = ? AND epoch = ? AND claim_id = ?";
  private static final String LOCK =
      "SELECT 1 FROM $.sequence_owner WHERE app = ? FOR NO KEY UPDATE";
  private static final String BLOCKERS =
      "SELECT string_agg(p::text, ', ') FROM unnest(pg_blocking_pids(?)) p";

  private final Database database;
  private final Application application;

  SequenceClaim(Database database, Application application) {
    this.database = database;
    this.application = application;
  }

  Epoch take(String owner) {
    String what = "claiming the sequences of application '" + application.name() + "'";
    try {
      for (int i = 0; i < ATTEMPTS; i++) {
        Epoch from = database.read(what, this::read);
        Epoch to = from.next(UUID.randomUUID());
        if (database.write(what, connection -> move(connection, owner, from, to))) {
          return to;
        }
      }
    } catch (StorageUnavailableException e) {
      if (PostgresErrorClassifier.LOCK_NOT_AVAILABLE.equals(PostgresErrorClassifier.state(e))) {
        throw new StorageUnavailableException(
            what + " waits for a transaction that put a value: " + blockers(), e);
      }
      throw e;
    }
    throw new StorageUnavailableException(what + " lost against other owners; claim again");
  }

  private Epoch read(Connection connection) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(database.sql(READ))) {
      query.setInt(1, application.id());
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return new Epoch(row.getLong(1), row.getObject(2, UUID.class));
      }
    }
  }

  private boolean move(Connection connection, String owner, Epoch from, Epoch to)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(database.sql(MOVE))) {
      new Binder(update)
          .bigint(to.number())
          .object(to.claimId())
          .text(owner)
          .number(application.id())
          .bigint(from.number())
          .object(from.claimId());
      return update.executeUpdate() == 1;
    }
  }

  /**
   * Who holds the row: only a waiting session can be asked about, so one waits again, for as long
   * as it takes to ask.
   */
  private String blockers() {
    Connection waiting = null;
    try {
      waiting = database.connect("waiting");
      String found = "";
      for (int i = 0; i < ATTEMPTS && found.isEmpty(); i++) {
        found = blockersOf(waiting);
      }
      return found.isEmpty()
          ? "it has ended meanwhile; claim again"
          : "process " + found + " of the server holds it; end it or claim again";
    } catch (SQLException | StorageUnavailableException e) {
      return "who it is could not be asked (" + e.getMessage() + ")";
    } finally {
      if (waiting != null) {
        Database.release(waiting);
      }
    }
  }

  private String blockersOf(Connection waiting) throws SQLException {
    int pid = pid(waiting);
    CompletableFuture<Void> waits = CompletableFuture.runAsync(() -> waitForLock(waiting));
    String found = "";
    while (found.isEmpty() && !waits.isDone()) {
      found = database.read("asking who waits for whom", asking -> blockers(asking, pid));
    }
    waits.join();
    return found;
  }

  private static int pid(Connection connection) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement("SELECT pg_backend_pid()");
        ResultSet row = query.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }

  private static String blockers(Connection connection, int pid) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(BLOCKERS)) {
      query.setInt(1, pid);
      try (ResultSet row = query.executeQuery()) {
        row.next();
        String pids = row.getString(1);
        return pids == null ? "" : pids;
      }
    }
  }

  /** In autocommit, so that the lock is let go at once if it is had. */
  private void waitForLock(Connection connection) {
    try (PreparedStatement lock = connection.prepareStatement(database.sql(LOCK))) {
      lock.setInt(1, application.id());
      lock.execute();
    } catch (SQLException e) {
      // It was not had in time, which is what we knew.
    }
  }
}
