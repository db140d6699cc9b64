package io.tidemark.storage.cassandra;

import static java.util.Objects.requireNonNull;

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
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An owner's handle. */
final class CassandraPartition extends CassandraLogReader implements IPartitionStorage {
  private static final int SETTLE_ATTEMPTS = 10;

  private final long generation;
  private final PartitionLog.Appender appender;

  /**
   * Whatever is sent under the epoch shares it, a settle has it alone. A put sent under an epoch
   * that is being left would be acknowledged and not be in the log; an insert would be told that
   * the handle is fenced.
   */
  private final ReadWriteLock moving = new ReentrantReadWriteLock();

  /** Changed while holding {@code moving} alone. */
  private volatile Term term;

  CassandraPartition(CassandraAppStorage app, int partition, Meta claimed) {
    super(app, partition);
    this.generation = claimed.generation();
    this.term = new Term(claimed.epoch(), null);
    this.appender = log.appender(claimed);
  }

  /**
   * Takes a partition over: first the meta row, which says who may open buckets, then the one
   * bucket that may be open.
   */
  static CassandraPartition claim(CassandraAppStorage app, int partition, String owner) {
    PartitionLog log = app.log(partition);
    for (int attempt = 0; attempt < SETTLE_ATTEMPTS; attempt++) {
      Meta from = log.decided(app.meta().read(partition));
      Epoch to = from.epoch().next(UUID.randomUUID());
      if (app.meta().move(partition, from, to, owner, log.endToStore(from))) {
        log.fence(from.openBucket(), to);
        // Read again: what a handle starts from must be what its own epoch stands on.
        Meta claimed = log.decided(app.meta().read(partition));
        return new CassandraPartition(app, partition, claimed.asOf(to));
      }
    }
    throw new StorageUnavailableException(
        "partition %d changes hands too fast; claim again".formatted(partition));
  }

  long generation() {
    return generation;
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
  public void settle() {
    moving.writeLock().lock();
    try {
      Epoch from = term.epoch();
      // A repeated settle repeats its target: whichever of the two arrives, the handle knows.
      Epoch undecided = term.undecided();
      Epoch to = undecided != null ? undecided : from.next(UUID.randomUUID());
      term = new Term(from, to);
      Meta moved = move(from, to);
      log.fence(moved.openBucket(), to);
      appender.moved(moved);
      term = new Term(to, null);
    } finally {
      moving.writeLock().unlock();
    }
  }

  /** Does what is sent under the handle's epoch, with no settle between. */
  private void steadily(Runnable work) {
    moving.readLock().lock();
    try {
      work.run();
    } finally {
      moving.readLock().unlock();
    }
  }

  private Meta move(Epoch from, Epoch to) {
    for (int attempt = 0; attempt < SETTLE_ATTEMPTS; attempt++) {
      Meta now = log.decided(meta());
      if (now.epoch().equals(to)) {
        return now;
      }
      if (!now.epoch().equals(from)) {
        throw Ownership.lost(new Term(from, null), now, log, appender.lastBucket(), "settle");
      }
      app.meta().move(partition, now, to, now.owner(), log.endToStore(now));
    }
    throw new StorageUnavailableException("settle of partition " + partition + " did not end");
  }

  /** A change of the meta row under the handle's epoch. */
  private void change(String what, Predicate<Epoch> change, Predicate<Meta> isDone) {
    steadily(() -> changeOnce(what, change, isDone));
  }

  private void changeOnce(String what, Predicate<Epoch> change, Predicate<Meta> isDone) {
    Term sent = term;
    if (change.test(sent.epoch())) {
      return;
    }
    Meta now = meta();
    if (!now.epoch().equals(sent.epoch())) {
      throw Ownership.lost(sent, now, log, appender.lastBucket(), what);
    }
    if (!isDone.test(now)) {
      throw new StorageUnavailableException(what + " was overtaken by another one; try again");
    }
  }

  @Override
  public @Nullable PartitionFailure failure() {
    return meta().failure();
  }

  @Override
  public void storeFailure(@Nullable PartitionFailure failure) {
    change(
        "storing the failure",
        epoch -> app.meta().storeFailure(partition, epoch, failure),
        now -> false);
  }

  @Override
  public ISeqGeneration rebuild() {
    AtomicLong building = new AtomicLong();
    steadily(() -> building.set(startBuilding()));
    return new CassandraGeneration(this, building.get());
  }

  private long startBuilding() {
    for (int attempt = 0; attempt < SETTLE_ATTEMPTS; attempt++) {
      Meta now = meta();
      Term sent = term;
      if (!now.epoch().equals(sent.epoch())) {
        throw Ownership.lost(sent, now, log, appender.lastBucket(), "rebuild");
      }
      if (now.building() != Meta.NO_GENERATION) {
        return now.building();
      }
      app.meta().startBuilding(partition, sent.epoch(), now);
    }
    throw new StorageUnavailableException("rebuild of partition " + partition + " did not begin");
  }

  void activate(long target) {
    change(
        "switching to SeqData generation " + target,
        epoch -> app.meta().activate(partition, epoch, target),
        now -> {
          if (now.generation() != target && now.building() != target) {
            throw new StorageCorruptedException(
                "SeqData generation %d of partition %d is not there; rebuild it again"
                    .formatted(target, partition));
          }
          return now.generation() == target;
        });
    Cql.afterWriting("the switch to SeqData generation " + target, () -> deleteBefore(target));
  }

  /** Also those that an earlier switch was too unlucky to delete. */
  private void deleteBefore(long generation) {
    for (long older = Math.max(1, generation - 3); older < generation; older++) {
      app.numbers().delete(partition, older);
    }
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    long[] numbers = app.numbers().read(partition, generation, wsid, seqIds);
    requireInUse(generation);
    return numbers;
  }

  @Override
  public long readNextPLogOffset() {
    long offset = app.numbers().readNextOffset(partition, generation);
    requireInUse(generation);
    return offset;
  }

  /**
   * Refuses what was read of a generation that has been replaced: its rows may be gone, and reading
   * them as absent would issue every number again. Asked after the read, because rows are deleted
   * after the switch.
   */
  private void requireInUse(long read) {
    long inUse = app.meta().generation(partition);
    if (inUse != read) {
      throw new FencedException(
          "SeqData generation %d of partition %d was replaced by %d: claim the partition again"
              .formatted(read, partition, inUse));
    }
  }

  @Override
  public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
    app.numbers().write(List.of(new NumberTable.Batch(partition, generation, batch, nextOffset)));
  }

  @Override
  public GroupLimit groupLimit(long firstOffset) {
    return app.groupLimit(requireOffset("firstOffset", firstOffset));
  }

  @Override
  public void append(List<PLogEvent> group, WriteMode mode) {
    app.requireEvents(requireNonNull(mode, "mode"));
    Requests.requireGroup(group, app::groupLimit, app.sizes());
    steadily(() -> appender.append(term, group));
  }

  @Override
  public void commit(CommitGroup group, TrustLevel level) {
    append(group.events(), level.events());
    Cql.afterWriting(
        "events from " + group.events().get(0).key(),
        () -> {
          putRecords(group.records(), level.newRecords());
          appendWLog(group.wlog(), level.events());
        });
  }

  @Override
  public void appendWLog(List<WLogRow> rows, WriteMode mode) {
    app.requireEvents(requireNonNull(mode, "mode"));
    Requests.requireWLog(rows, app.sizes());
    app.wlog().write(partition, rows);
  }

  @Override
  public void putRecords(List<RecordRow> rows, WriteMode newRecords) {
    app.requireRecords(requireNonNull(newRecords, "newRecords"));
    Requests.requireRecords(rows);
    app.records().write(partition, rows, newRecords == WriteMode.INSERT_IF_NOT_EXISTS);
  }

  @Override
  public void markCorrupted(long offset) {
    requireOffset("offset", offset);
    steadily(() -> mark(offset));
  }

  private void mark(long offset) {
    Term sent = term;
    Meta now = meta();
    if (!now.epoch().equals(sent.epoch())) {
      throw Ownership.lost(sent, now, log, appender.lastBucket(), "marking PLog offset " + offset);
    }
    if (offset > log.end(now) || log.page(offset, offset, 1).isEmpty()) {
      throw new StorageCorruptedException(
          "PLog offset %d of partition %d is not there".formatted(offset, partition));
    }
    change(
        "marking PLog offset " + offset,
        epoch -> app.meta().markCorrupted(partition, epoch, offset),
        later -> false);
  }

  @Override
  public String toString() {
    return "partition " + partition + " of " + app + " at epoch " + epoch();
  }
}
