package io.tidemark.core;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.api.DrawVisitor;
import io.tidemark.api.FencedException;
import io.tidemark.api.ISequencer;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequencerState;
import io.tidemark.api.SequencerStatus;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.core.Environment.Lane;
import io.tidemark.core.Environment.Signal;
import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.SeqValues;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The sequencer of one partition.
 *
 * <p><b>Concurrency.</b> One lock guards state, cache and backlog; {@link #become} is the only
 * place that changes the state. The open transaction belongs to the caller: {@code next} touches
 * nothing else and takes no lock. Callers are kept apart by a guard of their own, so that misuse
 * from two threads is an error and not a race. Storage is never called with the lock held.
 *
 * <p><b>Numbers.</b> A miss reads the backlog first and storage second, and the larger wins: what
 * leaves the backlog between the two is in storage by then.
 */
final class Sequencer implements ISequencer {
  private final ISeqStorage storage;
  private final Environment environment;
  private final Flusher flusher;
  private final Kinds kinds;
  private final int maxUnflushed;
  private final long batcherDelayNanos;
  private final Announcer announcer;
  private final Backoff backoff;
  private final Signal changed;
  private final MissReader missReader;
  private final CallerGuard guard = new CallerGuard();
  private final ReentrantLock lock = new ReentrantLock();
  private final OpenTransaction transaction;
  private Refusal refusal = Refusal.NONE;
  private volatile SequencerState state = SequencerState.ACTUALIZING;

  @GuardedBy("lock")
  private final NumberCache cache;

  @GuardedBy("lock")
  private final Backlog backlog = new Backlog();

  @GuardedBy("lock")
  private long nextOffset;

  @GuardedBy("lock")
  private boolean askedForFlush;

  @GuardedBy("lock")
  private boolean askedUrgently;

  /** Nothing is written any more: fenced, failed, or closed with its patience used up. */
  @GuardedBy("lock")
  private boolean writesEnded;

  @GuardedBy("lock")
  private boolean lostValues;

  @GuardedBy("lock")
  private Actualization actualization;

  @GuardedBy("lock")
  private @Nullable Throwable flushError;

  @GuardedBy("lock")
  private @Nullable Throwable actualizationError;

  /** Guarded by the flusher's lock. */
  boolean queuedForFlush;

  Sequencer(
      int partition,
      ISeqStorage storage,
      SequencerConfig config,
      Kinds kinds,
      CacheBudget budget,
      Flusher flusher,
      Environment environment) {
    this.storage = storage;
    this.kinds = kinds;
    this.flusher = flusher;
    this.environment = environment;
    this.maxUnflushed = config.maxUnflushedValues();
    this.batcherDelayNanos = config.batcherDelay().toNanos();
    this.announcer = new Announcer(partition, config.listener());
    this.backoff = new Backoff(environment, config.retryCap());
    this.changed = environment.newSignal();
    this.transaction = new OpenTransaction(kinds.widest());
    this.cache = new NumberCache(lock, budget, kinds.count());
    this.actualization = new Actualization(this, environment, storage, backoff, true);
    this.missReader =
        new MissReader(
            environment,
            storage,
            backoff,
            config.readTimeout(),
            changed,
            () -> isFinal(state),
            (cause, pause) -> announcer.retrying("read numbers", pause, cause));
  }

  /** Begins the first actualization; apart from construction, so that {@code this} is complete. */
  Sequencer begin() {
    lock.lock();
    try {
      environment.execute(Lane.REPLAY, actualization);
    } finally {
      lock.unlock();
    }
    return this;
  }

  @Override
  public long start(int wsKind, long wsid) {
    guard.enter();
    try {
      return tryStart(kinds.require(wsKind), wsid);
    } finally {
      guard.exit();
    }
  }

  @Override
  public long start(int wsKind, long wsid, Duration patience) {
    long deadline = environment.nanoTime() + patience.toNanos();
    guard.enter();
    try {
      Kind kind = kinds.require(wsKind);
      while (true) {
        long ticket = changed.ticket();
        long offset = tryStart(kind, wsid);
        long left = deadline - environment.nanoTime();
        if (offset != 0 || !refusal.temporary() || left <= 0 || interrupted()) {
          return offset;
        }
        changed.await(ticket, left);
      }
    } finally {
      guard.exit();
    }
  }

  private long tryStart(Kind kind, long wsid) {
    lock.lock();
    try {
      refusal = refusalNow();
      if (refusal != Refusal.NONE) {
        return 0;
      }
      KindTable table = cache.table(kind);
      int slot = table.find(wsid);
      if (slot != KindTable.NONE) {
        return open(kind, wsid, table, slot);
      }
    } finally {
      lock.unlock();
    }
    return load(kind, wsid);
  }

  @GuardedBy("lock")
  private Refusal refusalNow() {
    return switch (state) {
      case ACTUALIZING -> Refusal.ACTUALIZING;
      case FENCED -> Refusal.FENCED;
      case FAILED -> Refusal.FAILED;
      case CLOSED -> Refusal.CLOSED;
      case READY, IN_TRANSACTION -> {
        if (transaction.isOpen()) {
          throw new IllegalStateException(
              "a transaction is open already; flush, stage, cancel or actualize it first");
        }
        boolean full = backlog.waiting().size() + backlog.staged.size() > maxUnflushed;
        yield full ? Refusal.BACKPRESSURE : Refusal.NONE;
      }
    };
  }

  @GuardedBy("lock")
  private long open(Kind kind, long wsid, KindTable table, int slot) {
    transaction.begin(kind, wsid, table.values(), table.base(slot), table.kindKnown(slot));
    cache.pin(table, slot);
    become(SequencerState.IN_TRANSACTION);
    return nextOffset;
  }

  private long load(Kind kind, long wsid) {
    long[] queued = transaction.scratch();
    lock.lock();
    try {
      for (int i = 0; i <= kind.size; i++) {
        queued[i] = backlog.get(wsid, kind.storedIds[i]);
      }
    } finally {
      lock.unlock();
    }
    long[] numbers = null;
    try {
      numbers = missReader.read(kind, wsid);
    } catch (FencedException e) {
      stop(SequencerState.FENCED, e);
    } catch (StorageCorruptedException e) {
      stop(SequencerState.FAILED, e);
    }
    lock.lock();
    try {
      refusal = refusalNow();
      if (refusal == Refusal.NONE && numbers == null) {
        refusal = Refusal.STORAGE;
      }
      if (refusal != Refusal.NONE || numbers == null) {
        return 0;
      }
      for (int i = 0; i <= kind.size; i++) {
        numbers[i] = Math.max(numbers[i], queued[i]);
      }
      return openLoaded(kind, wsid, numbers);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private long openLoaded(Kind kind, long wsid, long[] numbers) {
    long knownKind = numbers[kind.size];
    if (knownKind != 0 && knownKind != kind.wsKind) {
      throw new IllegalArgumentException(
          "workspace %s has kind %d, not %d"
              .formatted(Long.toUnsignedString(wsid), knownKind, kind.wsKind));
    }
    int slot = cache.insert(kind, wsid);
    if (slot == KindTable.NONE) { // no room at all: the numbers live as long as the transaction
      transaction.begin(kind, wsid, numbers, 0, knownKind != 0);
      become(SequencerState.IN_TRANSACTION);
      return nextOffset;
    }
    KindTable table = cache.table(kind);
    System.arraycopy(numbers, 0, table.values(), table.base(slot), kind.size);
    if (knownKind != 0) {
      table.setKindKnown(slot);
    }
    return open(kind, wsid, table, slot);
  }

  @Override
  public Refusal refusal() {
    return refusal;
  }

  @Override
  public long next(int seqId) {
    return next(seqId, 1);
  }

  @Override
  public long next(int seqId, int count) {
    guard.enter();
    try {
      requireInTransaction("next");
      if (count < 1) {
        throw new IllegalArgumentException("count must be >= 1, was " + count);
      }
      return transaction.draw(seqId, count);
    } finally {
      guard.exit();
    }
  }

  @Override
  public void observe(int seqId, long number) {
    guard.enter();
    try {
      requireInTransaction("observe");
      transaction.observe(seqId, number);
    } finally {
      guard.exit();
    }
  }

  @Override
  public void drawn(DrawVisitor visitor) {
    guard.enter();
    try {
      requireInTransaction("drawn");
      transaction.visit(visitor);
    } finally {
      guard.exit();
    }
  }

  @Override
  public void stage() {
    guard.enter();
    lock.lock();
    try {
      requireInTransaction("stage");
      publish(backlog.staged);
      backlog.stagedEvents++;
    } finally {
      lock.unlock();
      guard.exit();
    }
  }

  @Override
  public void flush() {
    guard.enter();
    lock.lock();
    try {
      if (isFinal(state)) {
        return; // the event is in the log; the next owner reads it there
      }
      requireInTransaction("flush");
      if (backlog.stagedEvents > 0) {
        backlog.waiting().takeAll(backlog.staged);
        backlog.stagedEvents = 0;
      }
      if (transaction.isOpen()) {
        publish(backlog.waiting());
      }
      backlog.cover(nextOffset);
      become(SequencerState.READY);
      askForFlush();
    } finally {
      lock.unlock();
      guard.exit();
    }
  }

  @GuardedBy("lock")
  private void publish(FlushQueue queue) {
    transaction.publish(queue);
    transaction.end();
    cache.pinnedKindKnown();
    cache.unpin();
    nextOffset = Math.addExact(nextOffset, 1);
  }

  @Override
  public void cancel() {
    guard.enter();
    lock.lock();
    try {
      requireInTransaction("cancel");
      transaction.undo();
      transaction.end();
      cache.unpin();
      become(backlog.stagedEvents > 0 ? SequencerState.IN_TRANSACTION : SequencerState.READY);
    } finally {
      lock.unlock();
      guard.exit();
    }
  }

  @Override
  public void actualize() {
    guard.enter();
    lock.lock();
    try {
      requireInTransaction("actualize");
      transaction.end();
      forgetNumbers();
      become(SequencerState.ACTUALIZING);
      actualization = new Actualization(this, environment, storage, backoff, false);
      environment.execute(Lane.REPLAY, actualization);
    } finally {
      lock.unlock();
      guard.exit();
    }
  }

  @Override
  public SequencerStatus status() {
    lock.lock();
    try {
      Throwable error = actualizationError != null ? actualizationError : flushError;
      return new SequencerStatus(
          state,
          nextOffset,
          backlog.storedOffset(),
          backlog.waiting().size(),
          backlog.inFlightSize(),
          error);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean awaitReady(Duration patience) {
    long deadline = environment.nanoTime() + patience.toNanos();
    while (true) {
      long ticket = changed.ticket();
      SequencerState now = state;
      if (now != SequencerState.ACTUALIZING) {
        return !isFinal(now);
      }
      long left = deadline - environment.nanoTime();
      if (left <= 0 || interrupted()) {
        return false;
      }
      changed.await(ticket, left);
    }
  }

  @Override
  public boolean close(Duration patience) {
    long deadline = environment.nanoTime() + patience.toNanos();
    lock.lock();
    try {
      actualization.cancel();
      forgetNumbers();
      become(SequencerState.CLOSED);
      if (!writesEnded && backlog.isPending()) {
        flusher.wake(this, true);
      }
    } finally {
      lock.unlock();
    }
    changed.raise();
    awaitFlushed(deadline);
    lock.lock();
    try {
      if (!writesEnded) {
        writesEnded = true;
        lostValues = backlog.drop();
        cache.close();
      }
      return !lostValues;
    } finally {
      lock.unlock();
    }
  }

  private void awaitFlushed(long deadline) {
    while (true) {
      long ticket = changed.ticket();
      lock.lock();
      try {
        if (writesEnded || !backlog.isPending()) {
          return;
        }
      } finally {
        lock.unlock();
      }
      long left = deadline - environment.nanoTime();
      if (left <= 0 || interrupted()) {
        return;
      }
      changed.await(ticket, left);
    }
  }

  // Called by the flusher

  boolean takeBatch() {
    lock.lock();
    try {
      askedForFlush = false;
      askedUrgently = false;
      return !writesEnded && backlog.take();
    } finally {
      lock.unlock();
    }
  }

  /** Whether a batch in flight may still be tried. */
  boolean mayWrite() {
    lock.lock();
    try {
      return !writesEnded;
    } finally {
      lock.unlock();
    }
  }

  ISeqStorage storage() {
    return storage;
  }

  /** The batch in flight; nobody changes it until it is written or failed for good. */
  @SuppressWarnings("GuardedBy") // handed over by takeBatch, under the lock
  SeqValues batch() {
    return backlog.batch();
  }

  @SuppressWarnings("GuardedBy") // handed over by takeBatch, under the lock
  long batchOffset() {
    return backlog.batchOffset();
  }

  void writeBatch() {
    storage.writeValuesAndOffset(batch(), batchOffset());
  }

  void batchWritten() {
    int values = batch().size();
    long offset = batchOffset();
    lock.lock();
    try {
      flushError = null;
      backlog.written();
      if (!writesEnded) {
        askForFlush();
      }
    } finally {
      lock.unlock();
    }
    changed.raise();
    announcer.flushed(values, offset);
  }

  /** Answers whether the batch is to be tried again. */
  boolean batchFailed(Throwable cause, Duration pause) {
    if (cause instanceof FencedException) {
      stop(SequencerState.FENCED, cause);
    } else if (cause instanceof StorageCorruptedException) {
      stop(SequencerState.FAILED, cause);
    }
    lock.lock();
    try {
      if (writesEnded) {
        return false;
      }
      flushError = cause;
    } finally {
      lock.unlock();
    }
    announcer.retrying("flush", pause, cause);
    return true;
  }

  // Called by the actualization

  void replayBegins(long storedOffset) {
    lock.lock();
    try {
      backlog.seenStored(storedOffset);
    } finally {
      lock.unlock();
    }
  }

  /** Takes one event's numbers, and waits while too many are waiting already. */
  void replayed(Actualization by, SeqValues values, long offset) {
    while (true) {
      long ticket = changed.ticket();
      lock.lock();
      try {
        by.check();
        if (backlog.waiting().size() <= maxUnflushed) {
          kinds.mergeReplayed(values, backlog.waiting());
          backlog.cover(offset + 1);
          askForFlush();
          return;
        }
        if (flushError != null) { // gives its thread back; trying again starts where storage is
          throw new StorageUnavailableException("replay waits for failing flushes", flushError);
        }
      } finally {
        lock.unlock();
      }
      changed.await(ticket, batcherDelayNanos);
    }
  }

  void replayProgress(long offset, long eventsRead) {
    announcer.actualizing(offset, eventsRead);
  }

  void actualized(long offset, long eventsRead) {
    lock.lock();
    try {
      if (state != SequencerState.ACTUALIZING) {
        return;
      }
      if (offset < backlog.coveredOffset()) {
        throw new StorageCorruptedException(
            "the log ends before offset %d, but events before %d were acknowledged"
                .formatted(offset, backlog.coveredOffset()));
      }
      actualizationError = null;
      nextOffset = offset;
      become(SequencerState.READY);
      if (backlog.isWaiting()) {
        askedUrgently = true;
        flusher.wake(this, true);
      }
    } finally {
      lock.unlock();
    }
    changed.raise();
    announcer.ready(offset, eventsRead);
  }

  void actualizationFailed(Throwable cause, Duration pause) {
    lock.lock();
    try {
      actualizationError = cause;
    } finally {
      lock.unlock();
    }
    announcer.retrying("actualize", pause, cause);
  }

  /** Ends the sequencer for good: another owner has the partition, or the storage is damaged. */
  void stop(SequencerState last, Throwable cause) {
    lock.lock();
    try {
      if (isFinal(state)) {
        return;
      }
      actualization.cancel();
      actualizationError = cause;
      forgetNumbers();
      lostValues = backlog.drop();
      writesEnded = true;
      cache.close();
      become(last);
    } finally {
      lock.unlock();
    }
    changed.raise();
    announcer.stopped(last, cause);
  }

  /** An open transaction stays the caller's; the state tells it that there is no going on. */
  @GuardedBy("lock")
  private void forgetNumbers() {
    backlog.dropStaged();
    cache.clear();
  }

  /** Wakes the flusher when the backlog stops being empty, and again when it is half full. */
  @GuardedBy("lock")
  private void askForFlush() {
    boolean half = backlog.waiting().size() * 2 >= maxUnflushed;
    if (half ? !askedUrgently : !askedForFlush && backlog.isWaiting()) {
      askedForFlush = true;
      askedUrgently = half;
      flusher.wake(this, half);
    }
  }

  @GuardedBy("lock")
  private void become(SequencerState next) {
    if (!isFinal(state) || next == SequencerState.CLOSED) {
      state = next;
    }
  }

  private void requireInTransaction(String verb) {
    SequencerState now = state;
    boolean open = transaction.isOpen();
    boolean group = verb.equals("flush") || verb.equals("actualize");
    if (now != SequencerState.IN_TRANSACTION || !(open || group)) {
      throw new IllegalStateException(
          "cannot " + verb + " while " + now + (open ? "" : " with no open transaction"));
    }
  }

  private static boolean isFinal(SequencerState state) {
    return switch (state) {
      case FENCED, FAILED, CLOSED -> true;
      case ACTUALIZING, READY, IN_TRANSACTION -> false;
    };
  }

  private static boolean interrupted() {
    return Thread.currentThread().isInterrupted();
  }
}
