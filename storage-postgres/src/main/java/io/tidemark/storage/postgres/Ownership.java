package io.tidemark.storage.postgres;

import io.tidemark.api.FencedException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.PartitionFailure;
import java.sql.PreparedStatement;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * One handle's term of ownership, and the writes to the partition's meta row that depend on it.
 *
 * <p>Every change of the meta row is an UPDATE conditional on the epoch it was sent with. It waits
 * for appends that hold the row FOR SHARE, so that when it returns each of them is in the log or
 * never will be.
 */
final class Ownership {
  private static final String ROW = " WHERE app = :app AND partition = :partition";
  private static final String OWNED = ROW + " AND epoch = :epoch AND claim_id = :claim";

  private final Database database;
  private final MetaRows rows;
  private final PartitionKey key;
  private volatile Term term;

  Ownership(Database database, MetaRows rows, PartitionKey key, Epoch epoch) {
    this.database = database;
    this.rows = rows;
    this.key = key;
    term = new Term(epoch, null);
  }

  Term term() {
    return term;
  }

  MetaRow read() {
    return rows.read(key);
  }

  /** Refuses a request that was sent in a term that is over. */
  void requireOwner(Term sent, String call) {
    MetaRow now = read();
    Epoch epoch = now.info().epoch();
    if (epoch.equals(sent.epoch())) {
      return;
    }
    Term latest = term; // a settle may have begun, or ended, since the request was sent
    if (epoch.equals(sent.undecided())
        || epoch.equals(latest.epoch())
        || epoch.equals(latest.undecided())) {
      throw new StorageUnavailableException(
          "%s to %s must wait: the handle's settle is undecided, settle again"
              .formatted(call, key));
    }
    throw fenced(call, sent.epoch(), now);
  }

  private FencedException fenced(String call, Epoch epoch, MetaRow now) {
    return new FencedException(
        "%s to %s with epoch %s is fenced: owner '%s' holds it with epoch %s"
            .formatted(call, key, epoch, now.info().owner(), now.info().epoch()));
  }

  /**
   * Moves to a new epoch. A repeated settle repeats its target: whichever of the two arrives, the
   * handle knows. If the first arrived after all, the handle moves on from there: only a commit of
   * its own shows that what came before it is as durable as a commit can be, a read does not.
   */
  synchronized void settle() {
    Epoch undecided = term.undecided();
    boolean moved = move();
    if (!moved && undecided != null && arrived(undecided)) {
      moved = move();
    }
    if (!moved) {
      throw fenced("settle", term.epoch(), read());
    }
  }

  private boolean move() {
    Epoch from = term.epoch();
    Epoch undecided = term.undecided();
    Epoch to = undecided != null ? undecided : from.next(UUID.randomUUID());
    term = new Term(from, to);
    boolean moved =
        update(
            "settle",
            from,
            "SET epoch = :to, claim_id = :toClaim",
            "",
            update -> update.bind("to", to.number()).bind("toClaim", to.claimId()));
    if (moved) {
      term = new Term(to, null);
    }
    return moved;
  }

  /** Whether a move whose answer was lost, or warned of, is what the row has. */
  private boolean arrived(Epoch undecided) {
    boolean arrived = read().info().epoch().equals(undecided);
    if (arrived) {
      term = new Term(undecided, null);
    }
    return arrived;
  }

  /**
   * Stores a failure unless the one it was to replace is gone: a write that arrives late must not
   * bring back what was cleared since.
   */
  void storeFailure(@Nullable PartitionFailure failure) {
    Term sent = term;
    MetaRow now = read();
    boolean stored =
        update(
            "storeFailure",
            sent.epoch(),
            "SET failure_key = :key, failure_cause = :cause, failure_changes = failure_changes + 1",
            " AND failure_changes = :changes",
            update ->
                update
                    .bind("key", failure == null ? null : failure.key())
                    .bind("cause", failure == null ? null : failure.cause())
                    .bind("changes", now.failureChanges()));
    if (!stored) {
      requireOwner(sent, "storeFailure");
    }
  }

  /** The generation under construction, or a new one, whose number was never used. */
  long startBuilding() {
    Term sent = term;
    boolean started =
        update(
            "rebuild",
            sent.epoch(),
            "SET building = last_generation + 1, last_generation = last_generation + 1",
            " AND building = 0",
            update -> update);
    if (!started) {
      requireOwner(sent, "rebuild");
    }
    long building = read().building();
    if (building == 0) {
      throw new StorageUnavailableException(
          "the rebuild of " + key + " was ended by another one; rebuild again");
    }
    return building;
  }

  void activate(long generation) {
    Term sent = term;
    boolean switched =
        update(
            "activate",
            sent.epoch(),
            "SET generation = building, building = 0",
            " AND building = :building",
            update -> update.bind("building", generation));
    if (!switched) {
      requireOwner(sent, "activate");
      if (read().info().generation() != generation) {
        throw new StorageCorruptedException(
            "SeqData generation %d of %s is not there; rebuild it again"
                .formatted(generation, key));
      }
    }
  }

  /** Replaces an event's bytes if they are still {@code old}, under the epoch. */
  boolean replaceEvent(Term sent, long offset, byte[] old, byte[] replacement) {
    String text =
        "WITH e AS MATERIALIZED (SELECT 1 FROM $.partition"
            + OWNED
            + " FOR SHARE) UPDATE $.plog SET event = :new FROM e"
            + ROW
            + " AND plog_offset = :offset AND event = :old";
    String what = "marking PLog offset " + offset + " of " + key;
    return database.handle(
        what,
        Phase.WRITE,
        handle ->
            changed(
                what,
                bindKey(handle.createUpdate(database.sql(text)), sent.epoch())
                    .bind("offset", offset)
                    .bind("old", old)
                    .bind("new", replacement)));
  }

  /** Binds what a statement needs beyond its key. */
  private interface Binding {
    Update bind(Update update);
  }

  private boolean update(String call, Epoch epoch, String set, String condition, Binding binding) {
    String text = database.sql("UPDATE $.partition " + set + OWNED + condition);
    String what = call + " of " + key;
    return database.handle(
        what,
        Phase.WRITE,
        (Handle handle) -> changed(what, binding.bind(bindKey(handle.createUpdate(text), epoch))));
  }

  private static boolean changed(String what, Update update) {
    return update.execute(
        (supplier, context) -> {
          PreparedStatement sent = supplier.get();
          Database.requireNoWarning(what, sent);
          return sent.getUpdateCount() == 1;
        });
  }

  private Update bindKey(Update update, Epoch epoch) {
    return update
        .bind("app", key.app())
        .bind("partition", key.partition())
        .bind("epoch", epoch.number())
        .bind("claim", epoch.claimId());
  }
}
