package io.tidemark.core;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.api.DrawVisitor;
import io.tidemark.api.FencedException;
import io.tidemark.api.ISequencer;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequencerState;
import io.tidemark.api.SequencerStatus;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.spi.ISeqStorage;
import java.time.Duration;
import java.util.Arrays;

/**
 * The sequencer of one partition.
 *
 * <p><b>Concurrency.</b> The machine's lock guards state, cache and backlog. The open transaction
 * belongs to the caller: {@code next} touches nothing else and takes no lock. Callers are kept
 * apart by a guard of their own, so that misuse from two threads is an error and not a race.
 *
 * <p><b>Numbers.</b> A miss reads the backlog first and storage second, and the larger wins: what
 * leaves the backlog between the two is in storage by then.
 */
final class Sequencer implements ISequencer {
  private final Machine machine;
  private final Environment environment;
  private final Kinds kinds;
  private final MissReader missReader;
  private final OpenTransaction transaction;
  private Refusal refusal = Refusal.NONE;

  /** What a miss finds waiting to be flushed. */
  private long[] queued = {};

  Sequencer(
      Machine machine,
      ISeqStorage storage,
      SequencerConfig config,
      Kinds kinds,
      Environment environment) {
    this.machine = machine;
    this.kinds = kinds;
    this.environment = environment;
    this.transaction = machine.transaction;
    this.missReader = new MissReader(environment, storage, machine, config.readTimeout());
  }

  @Override
  public long start(int wsKind, long wsid) {
    long caller = transaction.enter();
    try {
      return tryStart(kinds.require(wsKind), wsid);
    } finally {
      transaction.exit(caller);
    }
  }

  @Override
  public long start(int wsKind, long wsid, Duration patience) {
    long deadline = environment.nanoTime() + Nanos.of(patience);
    long caller = transaction.enter();
    try {
      Kind kind = kinds.require(wsKind);
      for (int attempt = 0; ; attempt++) {
        long ticket = machine.changed.ticket();
        long offset = tryStart(kind, wsid);
        long left = deadline - environment.nanoTime();
        if (offset != 0 || !mayEnd() || left <= 0 || Machine.interrupted()) {
          return offset;
        }
        // Nobody is told when storage answers reads again, so a failed read is tried anew.
        boolean poll = refusal == Refusal.STORAGE;
        long pause = poll ? machine.backoff.pause(attempt).toNanos() : left;
        machine.changed.await(ticket, Math.min(left, pause));
      }
    } finally {
      transaction.exit(caller);
    }
  }

  /** Whether waiting can help: a group that is too large ends only by its own caller's flush. */
  private boolean mayEnd() {
    machine.lock.lock();
    try {
      return refusal.temporary() && !(refusal == Refusal.BACKPRESSURE && machine.isGroupTooLarge());
    } finally {
      machine.lock.unlock();
    }
  }

  private long tryStart(Kind kind, long wsid) {
    machine.lock.lock();
    try {
      if (refused()) {
        return 0;
      }
      KindTable table = machine.cache.table(kind);
      int entry = table.find(wsid);
      if (entry != KindTable.NONE) {
        return open(kind, wsid, table, entry);
      }
      lookAtBacklog(kind, wsid);
    } finally {
      machine.lock.unlock();
    }
    return load(kind, wsid);
  }

  @GuardedBy("machine.lock")
  private boolean refused() {
    if (isOpen()) {
      throw new IllegalStateException(
          "a transaction is open already; flush, stage, cancel or actualize it first");
    }
    Refusal now = machine.refusal();
    if (refusal != now) { // storing a reference costs a barrier
      refusal = now;
    }
    return now != Refusal.NONE;
  }

  @GuardedBy("machine.lock")
  private long open(Kind kind, long wsid, KindTable table, int entry) {
    transaction.begin(
        kind, wsid, table.values(), KindTable.base(entry), KindTable.kindKnown(entry));
    return machine.nextOffset;
  }

  @GuardedBy("machine.lock")
  private void lookAtBacklog(Kind kind, long wsid) {
    if (queued.length == 0) {
      queued = new long[kinds.widest() + 1];
    }
    Arrays.fill(queued, 0);
    machine.backlog.overlay(wsid, kind.storedIds, queued);
  }

  private long load(Kind kind, long wsid) {
    long[] numbers = null;
    try {
      numbers = missReader.read(kind, wsid);
    } catch (FencedException e) {
      machine.stop(SequencerState.FENCED, e);
    } catch (StorageCorruptedException e) {
      machine.stop(SequencerState.FAILED, e);
    }
    machine.lock.lock();
    try {
      if (refused()) {
        return 0;
      }
      if (numbers == null) {
        refusal = Refusal.STORAGE;
        return 0;
      }
      for (int i = 0; i < kind.size; i++) {
        numbers[i] = kind.floored(i, Math.max(numbers[i], queued[i]));
      }
      return openLoaded(kind, wsid, numbers);
    } finally {
      machine.lock.unlock();
    }
  }

  @GuardedBy("machine.lock")
  private long openLoaded(Kind kind, long wsid, long[] numbers) {
    long knownKind = Math.max(numbers[kind.size], queued[kind.size]);
    if (knownKind != 0 && knownKind != kind.wsKind) {
      throw new IllegalArgumentException(
          "workspace %s has kind %d, not %d"
              .formatted(Long.toUnsignedString(wsid), knownKind, kind.wsKind));
    }
    int entry = machine.cache.insert(kind, wsid, knownKind != 0);
    if (entry == KindTable.NONE) { // no room at all: the numbers live as long as the transaction
      transaction.begin(kind, wsid, numbers, 0, knownKind != 0);
      return machine.nextOffset;
    }
    KindTable table = machine.cache.table(kind);
    System.arraycopy(numbers, 0, table.values(), KindTable.base(entry), kind.size);
    return open(kind, wsid, table, entry);
  }

  @Override
  public Refusal refusal() {
    return refusal;
  }

  @Override
  public long next(int seqId) {
    OpenTransaction open = transaction;
    long caller = open.enterOpen();
    if (caller == 0 || !machine.isReady()) {
      throw refusedDraw("next", caller);
    }
    try {
      return open.draw(seqId);
    } finally {
      open.exitOpen(caller);
    }
  }

  /** No draw: another verb runs, or there is no transaction to draw in. */
  private IllegalStateException refusedDraw(String verb, long caller) {
    long inside = caller != 0 ? caller : transaction.enter();
    try {
      return outOfOrder(verb);
    } finally {
      transaction.exit(inside);
    }
  }

  @Override
  public long next(int seqId, int count) {
    long caller = transaction.enter();
    try {
      if (!isOpen()) {
        throw outOfOrder("next");
      }
      if (count < 1) {
        throw new IllegalArgumentException("count must be >= 1, was " + count);
      }
      return transaction.draw(seqId, count);
    } finally {
      transaction.exit(caller);
    }
  }

  @Override
  public void observe(int seqId, long number) {
    long caller = transaction.enter();
    try {
      if (!isOpen()) {
        throw outOfOrder("observe");
      }
      transaction.observe(seqId, number);
    } finally {
      transaction.exit(caller);
    }
  }

  @Override
  public void drawn(DrawVisitor visitor) {
    long caller = transaction.enter();
    try {
      if (!isOpen()) {
        throw outOfOrder("drawn");
      }
      transaction.visit(visitor);
    } finally {
      transaction.exit(caller);
    }
  }

  @Override
  public void stage() {
    long caller = transaction.enter();
    machine.lock.lock();
    try {
      if (!isOpen()) {
        throw outOfOrder("stage");
      }
      publish(machine.backlog.staged);
      machine.backlog.stagedEvents++;
    } finally {
      machine.lock.unlock();
      transaction.exit(caller);
    }
  }

  @Override
  public void flush() {
    long caller = transaction.enter();
    machine.lock.lock();
    try {
      if (!machine.isInTransaction()) {
        if (machine.isFinal()) {
          return; // the event is in the log; the next owner reads it there
        }
        throw outOfOrder("flush");
      }
      if (machine.backlog.stagedEvents > 0) {
        machine.backlog.waiting().takeAll(machine.backlog.staged);
        machine.backlog.stagedEvents = 0;
      }
      if (transaction.isOpen()) {
        publish(machine.backlog.waiting());
      }
      machine.backlog.cover(machine.nextOffset);
      machine.askForFlush();
    } finally {
      machine.lock.unlock();
      transaction.exit(caller);
    }
  }

  @GuardedBy("machine.lock")
  private void publish(FlushQueue queue) {
    transaction.publish(queue);
    if (transaction.publishesKind()) {
      machine.cache.kindKnown(transaction.kind(), transaction.wsid());
    }
    machine.nextOffset = Math.addExact(machine.nextOffset, 1);
  }

  @Override
  public void cancel() {
    long caller = transaction.enter();
    machine.lock.lock();
    try {
      if (!isOpen()) {
        throw outOfOrder("cancel");
      }
      transaction.end();
      if (transaction.publishesKind()) {
        machine.cache.forgetUnknown(transaction.kind(), transaction.wsid());
      }
    } finally {
      machine.lock.unlock();
      transaction.exit(caller);
    }
  }

  @Override
  public void actualize() {
    long caller = transaction.enter();
    machine.lock.lock();
    try {
      if (!machine.isInTransaction()) {
        throw outOfOrder("actualize");
      }
      transaction.abandon();
      machine.startActualizing(false);
    } finally {
      machine.lock.unlock();
      transaction.exit(caller);
    }
  }

  private boolean isOpen() {
    return transaction.isOpen() && machine.isReady();
  }

  private IllegalStateException outOfOrder(String verb) {
    return new IllegalStateException(
        "cannot "
            + verb
            + " while "
            + machine.state()
            + (transaction.isOpen() ? "" : " with no open transaction"));
  }

  @Override
  public SequencerStatus status() {
    return machine.status();
  }

  @Override
  public boolean awaitReady(Duration patience) {
    return machine.awaitReady(patience);
  }

  @Override
  public boolean close(Duration patience) {
    return machine.close(patience);
  }
}
