package io.tidemark.storage.sqlite;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.FencedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.WLogRow;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An owner's handle. Each write is one transaction, and reads the term of the handle inside of it,
 * where no settle of the same handle can come between.
 */
final class SqlitePartition extends LogReader implements IPartitionStorage {
  private final long generation;
  private volatile Term term;

  /**
   * The ownership the handle believes to have.
   *
   * @param undecided the epoch it tries to move to, if it does not know whether it has
   */
  private record Term(Epoch epoch, @Nullable Epoch undecided) {}

  SqlitePartition(Database database, long app, int partition, Epoch epoch, long generation) {
    super(database, app, partition);
    this.generation = generation;
    this.term = new Term(epoch, null);
  }

  @Override
  public int partition() {
    return partition;
  }

  @Override
  public Epoch epoch() {
    return term.epoch();
  }

  /** A repeated settle repeats its target: whichever of the two was stored, the handle knows. */
  @Override
  public synchronized void settle() {
    Epoch from = term.epoch();
    Epoch undecided = term.undecided();
    Epoch to = undecided != null ? undecided : from.next(UUID.randomUUID());
    term = new Term(from, to);
    write(
        "settle",
        session -> {
          Meta meta = Meta.read(session, app, partition);
          if (!meta.epoch().equals(to)) {
            requireEpoch(meta, from, "settle");
            meta.withEpoch(to, meta.owner()).write(session, app, partition);
          }
          return to;
        });
    term = new Term(to, null);
  }

  /** The meta row, if this handle may change it and the log. */
  Meta requireOwner(Session session, String what) throws SQLException {
    Meta meta = Meta.read(session, app, partition);
    Term sent = term;
    if (!meta.epoch().equals(sent.epoch()) && meta.epoch().equals(sent.undecided())) {
      throw new StorageUnavailableException(
          "%s to %s must wait: the handle's settle is undecided, settle again"
              .formatted(what, this));
    }
    requireEpoch(meta, sent.epoch(), what);
    return meta;
  }

  private void requireEpoch(Meta meta, Epoch held, String what) {
    if (!meta.epoch().equals(held)) {
      throw new FencedException(
          "%s to %s with epoch %s is fenced: owner '%s' holds it with epoch %s"
              .formatted(what, this, held, meta.owner(), meta.epoch()));
    }
  }

  <T> T write(String what, Database.Work<T> work) {
    return database.write(what + " to " + this, work);
  }

  @Override
  public @Nullable PartitionFailure failure() {
    return read("the meta row", session -> Meta.read(session, app, partition)).failure();
  }

  @Override
  public void storeFailure(@Nullable PartitionFailure failure) {
    write(
        "storing a failure",
        session -> {
          Meta meta = requireOwner(session, "storing a failure").withFailure(failure);
          meta.write(session, app, partition);
          return meta;
        });
  }

  @Override
  public ISeqGeneration rebuild() {
    return write(
        "rebuild",
        session -> {
          Meta meta = requireOwner(session, "rebuild");
          if (meta.building() == Meta.NO_GENERATION) {
            meta = meta.withBuilding(meta.lastGeneration() + 1);
            meta.write(session, app, partition);
            SeqData.create(session, app, partition, meta.building());
          }
          return new SqliteGeneration(this, meta.building());
        });
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    return read(
            "numbers", session -> SeqData.read(session, app, partition, generation, wsid, seqIds))
        .orElseThrow(() -> replaced(generation));
  }

  @Override
  public long readNextPLogOffset() {
    return readNextOffset(generation);
  }

  long readNextOffset(long target) {
    return read("the next offset", session -> SeqData.nextOffset(session, app, partition, target))
        .orElseThrow(() -> replaced(target));
  }

  /** Reading the numbers of a replaced generation as absent would issue every one again. */
  private FencedException replaced(long target) {
    return new FencedException(
        "SeqData generation %d of %s was replaced: claim the partition again"
            .formatted(target, this));
  }

  @Override
  public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
    write("writing numbers", seqDataWrite(batch, nextOffset));
  }

  Database.Work<Boolean> seqDataWrite(SeqValues batch, long nextOffset) {
    return seqDataWrite(generation, batch, nextOffset);
  }

  Database.Work<Boolean> seqDataWrite(long target, SeqValues batch, long nextOffset) {
    requireOffset("nextOffset", nextOffset);
    return session -> {
      SeqData.write(session, app, partition, target, batch, nextOffset);
      return true;
    };
  }

  @Override
  public GroupLimit groupLimit(long firstOffset) {
    requireOffset("firstOffset", firstOffset);
    return Append.LIMIT;
  }

  @Override
  public void append(List<PLogEvent> group, WriteMode mode) {
    Append append = Append.of(group, requireNonNull(mode, "mode"));
    write(
        "append",
        session -> {
          tables(session).append(append, owner -> requireOwner(owner, "append"));
          return append;
        });
  }

  @Override
  public void appendWLog(List<WLogRow> rows, WriteMode mode) {
    requireNonNull(mode, "mode");
    requireWLogOnce(rows);
    write(
        "writing WLog rows",
        session -> {
          tables(session).appendWLog(rows, mode);
          return rows;
        });
  }

  @Override
  public void putRecords(List<RecordRow> rows, WriteMode newRecords) {
    requireNonNull(newRecords, "newRecords");
    requireRecordsOnce(rows);
    write(
        "writing records",
        session -> {
          tables(session).putRecords(rows, newRecords);
          return rows;
        });
  }

  @Override
  public void commit(CommitGroup group, TrustLevel level) {
    Append append = Append.of(group.events(), level.events());
    requireRecordsOnce(group.records());
    requireWLogOnce(group.wlog());
    write(
        "commit",
        session -> {
          LogTables tables = tables(session);
          tables.append(append, owner -> requireOwner(owner, "commit"));
          tables.putRecords(group.records(), level.newRecords());
          tables.appendWLog(group.wlog(), level.events());
          return append;
        });
  }

  @Override
  public void markCorrupted(long offset) {
    requireOffset("offset", offset);
    write(
        "marking an event corrupted",
        session -> {
          Meta meta = requireOwner(session, "marking an event corrupted");
          tables(session).markCorrupted(offset);
          return meta;
        });
  }

  private LogTables tables(Session session) {
    return new LogTables(session, app, partition);
  }

  private static void requireWLogOnce(List<WLogRow> rows) {
    Set<RowKey> seen = new HashSet<>();
    for (WLogRow row : rows) {
      requireNew(seen.add(new RowKey(row.wsid(), row.wlogOffset())), row.key());
    }
  }

  private static void requireRecordsOnce(List<RecordRow> rows) {
    Set<RowKey> seen = new HashSet<>();
    for (RecordRow row : rows) {
      requireNew(seen.add(new RowKey(row.wsid(), row.recordId())), row.key());
    }
  }

  private static void requireNew(boolean isNew, String key) {
    if (!isNew) {
      throw new IllegalArgumentException("a call writes a row once, " + key + " occurs twice");
    }
  }
}
