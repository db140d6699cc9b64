package io.tidemark.storage.postgres;

import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import io.tidemark.storage.postgres.GroupStatement.Answer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes groups, and finds out why one was not written.
 *
 * <p>The first attempt is strict and nearly always the only one. When it wrote nothing, the reasons
 * are looked for in this order: the group is there already (our own repetition), another owner
 * came, the predecessor is missing, somebody else's row stands in the way. If none holds, rows of
 * this same write are there in part, or rows that the level puts over, and the tolerant statement
 * writes the rest.
 */
final class GroupWrites extends PostgresLogReader {
  private static final int ATTEMPTS = 3;
  private static final String ONE_EVENT =
      "SELECT event FROM $.plog WHERE app = ? AND partition = ? AND plog_offset = ?";
  private static final String WLOG_ROW =
      "SELECT plog_offset, payload FROM $.wlog WHERE app = ? AND partition = ?"
          + " AND wsid = ? AND wlog_offset = ?";
  private static final String EVENTS =
      "SELECT plog_offset, event FROM $.plog WHERE app = ? AND partition = ?"
          + " AND plog_offset BETWEEN ? AND ?";

  private final GroupStatement statement;
  private final Ownership ownership;

  GroupWrites(Database database, PartitionKey key, GroupStatement statement, Ownership ownership) {
    super(database, key);
    this.statement = statement;
    this.ownership = ownership;
  }

  /** Writes events, with what they imply, under the handle's epoch. */
  void log(String call, Group group) {
    String what = call + " of PLog offset " + group.first() + " to " + key;
    Term sent = ownership.term();
    Answer answer = statement.run(what, key, sent.epoch(), group, false);
    for (int i = 0; answer != Answer.WRITTEN; i++) {
      if (holds(group)) {
        apply(what, group.withoutEvents());
        return;
      }
      ownership.requireOwner(sent, call);
      requirePredecessor(group);
      requireNoForeignRow(group);
      requirePatience(i, what);
      answer = statement.run(what, key, sent.epoch(), group, true);
    }
  }

  /** Writes what logged events imply; needs no epoch, as it repeats what the log says. */
  void apply(String call, Group group) {
    if (group.isEmpty()) {
      return;
    }
    String what = call + " to " + key;
    Answer answer = statement.runUnguarded(what, key, group, false);
    for (int i = 0; answer != Answer.WRITTEN; i++) {
      requireNoForeignRow(group);
      requirePatience(i, what);
      answer = statement.runUnguarded(what, key, group, true);
    }
  }

  private static void requirePatience(int attempt, String what) {
    if (attempt == ATTEMPTS) {
      throw new StorageUnavailableException(
          what + " was not written: the rows in its way keep changing");
    }
  }

  /** Whether every event of the group is in the log, as this same write. */
  private boolean holds(Group group) {
    Map<Long, byte[]> stored = stored(group);
    return group.events().stream()
        .allMatch(event -> isSameWrite(event, stored.get(event.offset())));
  }

  private Map<Long, byte[]> stored(Group group) {
    Map<Long, byte[]> stored = new HashMap<>();
    query(
            "reading the log",
            EVENTS,
            b -> b.bigint(group.first()).bigint(group.last()),
            row -> Map.entry(row.getLong(1), row.getBytes(2)))
        .forEach(entry -> stored.put(entry.getKey(), entry.getValue()));
    return stored;
  }

  private static boolean isSameWrite(PLogEvent event, byte @Nullable [] stored) {
    if (stored == null) {
      return false;
    }
    try {
      PLogEvent found = PLogEvent.fromBytes(event.offset(), stored);
      return found.header().writeId().equals(event.header().writeId());
    } catch (StorageCorruptedException e) {
      return false; // whoever wrote it, it was not this
    }
  }

  private void requirePredecessor(Group group) {
    long before = group.first() - 1;
    if (before > 0
        && query("reading the log", ONE_EVENT, b -> b.bigint(before), row -> 1).isEmpty()) {
      throw new StorageCorruptedException(
          "PLog offset %d of %s has no predecessor: the log ends at %d; restore what was lost"
              .formatted(group.first(), key, logEnd()));
    }
  }

  private void requireNoForeignRow(Group group) {
    if (group.eventMode() == WriteMode.INSERT_IF_NOT_EXISTS) {
      if (!group.events().isEmpty()) {
        requireNoForeignEvent(group);
      }
      group.wlog().forEach(this::requireNotForeign);
    }
    if (group.newRecordMode() == WriteMode.INSERT_IF_NOT_EXISTS) {
      group.newRecords().forEach(this::requireNotForeign);
    }
  }

  private void requireNoForeignEvent(Group group) {
    Map<Long, byte[]> stored = stored(group);
    for (PLogEvent event : group.events()) {
      byte[] found = stored.get(event.offset());
      if (found != null && !isSameWrite(event, found)) {
        throw new SequenceViolationException(event.key(), found.length + " bytes");
      }
    }
  }

  private void requireNotForeign(WLogRow row) {
    for (WLogRow found :
        query(
            "reading a workspace's log",
            WLOG_ROW,
            b -> b.bigint(row.wsid()).bigint(row.wlogOffset()),
            r -> new WLogRow(row.wsid(), row.wlogOffset(), r.getLong(1), r.getBytes(2)))) {
      if (!found.equals(row)) {
        throw violation(row.key(), found.plogOffset(), found.payload());
      }
    }
  }

  private void requireNotForeign(RecordRow row) {
    RecordRow found = readRecord(row.wsid(), row.recordId());
    if (found == null || found.plogOffset() > row.plogOffset()) {
      return;
    }
    if (found.plogOffset() < row.plogOffset() || !Arrays.equals(found.data(), row.data())) {
      throw violation(row.key(), found.plogOffset(), found.data());
    }
  }

  private static SequenceViolationException violation(String key, long plogOffset, byte[] found) {
    return new SequenceViolationException(
        key, "written at PLog offset " + plogOffset + ", " + found.length + " bytes");
  }

  /** Reads, marks and writes back under the epoch, if nobody changed the event meanwhile. */
  void markCorrupted(long offset) {
    Term sent = ownership.term();
    for (int i = 0; ; i++) {
      byte[] stored =
          query("reading the log", ONE_EVENT, b -> b.bigint(offset), row -> row.getBytes(1))
              .stream()
              .findFirst()
              .orElse(null);
      ownership.requireOwner(sent, "markCorrupted");
      if (stored == null) {
        throw new StorageCorruptedException(
            "PLog offset %d of %s is not there: the log ends at %d"
                .formatted(offset, key, logEnd()));
      }
      PLogEvent event = PLogEvent.fromBytes(offset, stored);
      byte[] marked =
          new PLogEvent(offset, event.header().asCorrupted(), event.payload()).toBytes();
      if (ownership.replaceEvent(sent, offset, Objects.requireNonNull(stored), marked)) {
        return;
      }
      requirePatience(i, "marking PLog offset " + offset + " of " + key);
    }
  }
}
