package io.tidemark.storage.foundationdb;

import static java.util.Objects.requireNonNull;

import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.subspace.Subspace;
import io.tidemark.api.FencedException;
import io.tidemark.api.StorageCorruptedException;
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
import io.tidemark.storage.foundationdb.MetaCodec.Generations;
import io.tidemark.storage.foundationdb.MetaCodec.Ownership;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An owner's handle.
 *
 * <p>Fencing: every append reads the epoch's key with a conflict range, and every claim and settle
 * writes it. A commit that is still on its way when the epoch moves can therefore only fail.
 */
final class FoundationDbPartition extends FoundationDbLogReader implements IPartitionStorage {

  /**
   * The ownership the handle has.
   *
   * @param epoch its epoch
   * @param undecided the epoch it tries to move to, while it does not know whether it has
   */
  private record Term(Epoch epoch, @Nullable Epoch undecided) {}

  private final int partition;
  private final long generation;
  private volatile Term term;

  FoundationDbPartition(FoundationDbAppStorage app, int partition, Epoch epoch, long generation) {
    super(app, partition);
    this.partition = partition;
    this.generation = generation;
    term = new Term(epoch, null);
  }

  boolean isOf(FoundationDbAppStorage other) {
    return app == other;
  }

  @Override
  public int partition() {
    return partition;
  }

  @Override
  public Epoch epoch() {
    return term.epoch();
  }

  @Override
  public synchronized void settle() {
    Epoch from = term.epoch();
    // A repeated settle repeats its target: whichever of the two arrives, the handle knows.
    Epoch undecided = term.undecided();
    Epoch to = undecided != null ? undecided : from.next(UUID.randomUUID());
    term = new Term(from, to);
    app.transactions()
        .writeWithId(
            "settle " + name,
            transaction -> {
              Ownership held = ownership(transaction);
              if (held.epoch().equals(to)) {
                return to;
              }
              if (!held.epoch().equals(from)) {
                throw fenced("settle", from, held);
              }
              transaction.set(keys.epoch(), MetaCodec.ownership(to, held.owner()));
              return to;
            });
    term = new Term(to, null);
  }

  private Ownership ownership(Transaction transaction) {
    return MetaCodec.ownership(transaction.get(keys.epoch()).join());
  }

  private void requireOwner(Ownership held, Term sent, String what) {
    if (held.epoch().equals(sent.epoch())) {
      return;
    }
    if (held.epoch().equals(sent.undecided())) {
      throw new StorageUnavailableException(
          "%s to %s must wait: the handle's settle is undecided, settle again"
              .formatted(what, name));
    }
    throw fenced(what, sent.epoch(), held);
  }

  private FencedException fenced(String what, Epoch epoch, Ownership held) {
    return new FencedException(
        "%s to %s with epoch %s is fenced: owner '%s' holds it with epoch %s"
            .formatted(what, name, epoch, held.owner(), held.epoch()));
  }

  /** For writes under the epoch. */
  void requireOwner(Transaction transaction, String what) {
    requireOwner(ownership(transaction), term, what);
  }

  @Override
  public @Nullable PartitionFailure failure() {
    return app.transactions()
        .<@Nullable PartitionFailure>read(
            "read the failure of " + name, tr -> MetaCodec.failure(tr.get(keys.failure()).join()));
  }

  @Override
  public void storeFailure(@Nullable PartitionFailure failure) {
    app.transactions()
        .write(
            "store the failure of " + name,
            transaction -> {
              requireOwner(transaction, "store failure");
              // A conflict with every other change: a late one must not undo what came after it.
              transaction.addReadConflictKey(keys.failure());
              if (failure == null) {
                transaction.clear(keys.failure());
              } else {
                transaction.set(keys.failure(), MetaCodec.failure(failure));
              }
            });
  }

  @Override
  public ISeqGeneration rebuild() {
    long target =
        app.transactions()
            .writeAndAnswer(
                "rebuild " + name,
                transaction -> {
                  requireOwner(transaction, "rebuild");
                  Generations known = generations(transaction);
                  if (known.building() != 0) {
                    return known.building();
                  }
                  long next = known.last() + 1;
                  transaction.set(
                      keys.generation(),
                      MetaCodec.generations(new Generations(known.inUse(), next, next)));
                  return next;
                });
    return new FoundationDbGeneration(this, target);
  }

  private Generations generations(Transaction transaction) {
    return MetaCodec.generations(transaction.get(keys.generation()).join());
  }

  void activate(long target) {
    app.transactions()
        .write(
            "activate a generation of " + name,
            transaction -> {
              requireOwner(transaction, "activate");
              Generations known = generations(transaction);
              if (known.inUse() == target) {
                return;
              }
              if (known.building() != target) {
                throw new StorageCorruptedException(
                    "SeqData generation %d of %s is not there; rebuild it again"
                        .formatted(target, name));
              }
              transaction.set(
                  keys.generation(),
                  MetaCodec.generations(new Generations(target, 0, known.last())));
              // What a deposed owner wrote late into an older generation goes with it.
              transaction.clear(keys.numbers().pack(), keys.numbers().pack(target));
              transaction.clear(keys.nextOffsets().pack(), keys.nextOffsets().pack(target));
            });
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    return SeqDataReads.numbers(this, generation, wsid, seqIds);
  }

  @Override
  public long readNextPLogOffset() {
    return SeqDataReads.nextOffset(this, generation);
  }

  @Override
  public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
    writeSeqData(generation, batch, nextOffset);
  }

  void writeSeqData(long target, SeqValues batch, long nextOffset) {
    SeqDataWrites writes = new SeqDataWrites().add(keys, target, batch, nextOffset);
    app.write("write numbers of " + name, writes);
  }

  void addTo(SeqDataWrites writes, SeqValues batch, long nextOffset) {
    writes.add(keys, generation, batch, nextOffset);
  }

  @Override
  public GroupLimit groupLimit(long firstOffset) {
    requireOffset("firstOffset", firstOffset);
    return app.limits().group();
  }

  @Override
  public void append(List<PLogEvent> group, WriteMode mode) {
    requireNonNull(mode, "mode");
    LogAppend append = new LogAppend(keys, name, group, mode, app.limits().group());
    app.limits().require("an append", group, List.of(), List.of());
    Term sent = term;
    app.transactions()
        .writeWithId(
            "append to " + name,
            transaction -> {
              LogAppend.Reads reads = append.read(transaction);
              if (!append.isIn(reads)) {
                requireOwner(MetaCodec.ownership(reads.epoch()), sent, "append");
                append.check(reads);
                append.write(transaction, reads);
              }
              return true;
            });
  }

  @Override
  public void commit(CommitGroup group, TrustLevel level) {
    LogAppend append =
        new LogAppend(keys, name, group.events(), level.events(), app.limits().group());
    RowWrites.requireDistinct(group.wlog(), group.records());
    app.limits().require("a commit", group.events(), group.records(), group.wlog());
    RowWrites rows =
        new RowWrites()
            .records(keys, group.records(), level.newRecords())
            .wlog(keys, group.wlog(), level.events());
    Term sent = term;
    app.transactions()
        .writeWithId(
            "commit to " + name,
            transaction -> {
              LogAppend.Reads reads = append.read(transaction);
              boolean isIn = append.isIn(reads);
              if (!isIn) {
                requireOwner(MetaCodec.ownership(reads.epoch()), sent, "commit");
                append.check(reads);
              }
              RowWrites.Checked checked = rows.check(transaction);
              if (!isIn) {
                append.write(transaction, reads);
              }
              checked.write(transaction);
              return true;
            });
  }

  @Override
  public void appendWLog(List<WLogRow> rows, WriteMode mode) {
    requireNonNull(mode, "mode");
    RowWrites.requireDistinct(rows, List.of());
    writeRows(
        "append to the workspace log of " + name,
        app.limits().slices("a workspace-log row", rows, app.limits().size()::of),
        slice -> new RowWrites().wlog(keys, slice, mode));
  }

  @Override
  public void putRecords(List<RecordRow> rows, WriteMode newRecords) {
    requireNonNull(newRecords, "newRecords");
    RowWrites.requireDistinct(List.of(), rows);
    writeRows(
        "put records of " + name,
        app.limits().slices("a record", rows, app.limits().size()::of),
        slice -> new RowWrites().records(keys, slice, newRecords));
  }

  /** Several slices are all checked before the first is written: a violation leaves nothing. */
  private <T> void writeRows(
      String what, List<List<T>> slices, Function<List<T>, RowWrites> writes) {
    if (slices.size() > 1) {
      for (List<T> slice : slices) {
        app.transactions().write(what, transaction -> writes.apply(slice).check(transaction));
      }
    }
    for (List<T> slice : slices) {
      app.transactions()
          .write(what, transaction -> writes.apply(slice).check(transaction).write(transaction));
    }
  }

  @Override
  public void markCorrupted(long offset) {
    requireOffset("offset", offset);
    app.transactions()
        .write(
            "mark PLog offset " + offset + " of " + name,
            transaction -> {
              requireOwner(transaction, "mark corrupted");
              Subspace row = keys.plog(offset);
              String what = "PLog offset " + offset + " of " + name;
              byte[] stored =
                  Chunks.join(what, row, transaction.getRange(row.range()).asList().join());
              if (stored == null) {
                throw new StorageCorruptedException(what + " is not there");
              }
              PLogEvent event = PLogEvent.fromBytes(offset, stored);
              PLogEvent marked =
                  new PLogEvent(offset, event.header().asCorrupted(), event.payload());
              Chunks.clear(transaction, row);
              Chunks.write(transaction, row, marked.toBytes());
            });
  }

  @Override
  public String toString() {
    return name + " at epoch " + epoch();
  }
}
