package io.tidemark.core;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.api.FencedException;
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
import org.jspecify.annotations.Nullable;

/**
 * The state of one partition's sequencer, and everything the background does to it.
 *
 * <p>One lock guards state, cache and backlog, for the caller's verbs in {@link Sequencer} too;
 * {@link #become} is the only place that changes the state. Storage is never called with the lock
 * held.
 */
final class Machine {
  /** Of what may wait, how much a replay hands over at once. */
  private static final int REPLAYED_PART = 8;

  final ShortLock lock = new ShortLock();
  final Announcer announcer;
  final Backoff backoff;
  final Signal changed;
  private final ISeqStorage storage;
  private final Environment environment;
  private final Flusher flusher;
  private final Kinds kinds;
  private final int maxUnflushed;
  private final int maxReplayed;
  private final long batcherDelayNanos;

  /**
   * The state, where READY stands for IN_TRANSACTION too: that one is read off the transaction and
   * its group, because every command would change it twice.
   */
  private volatile SequencerState stage = SequencerState.ACTUALIZING;

  /** The caller's; opened and ended under the lock. */
  final OpenTransaction transaction;

  @GuardedBy("lock")
  final NumberCache cache;

  @GuardedBy("lock")
  final Backlog backlog;

  @GuardedBy("lock")
  long nextOffset;

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
  private @Nullable Actualization actualization;

  @GuardedBy("lock")
  private @Nullable Throwable flushError;

  @GuardedBy("lock")
  private @Nullable Throwable actualizationError;

  /** Guarded by the flusher's lock. */
  boolean queuedForFlush;

  /** Guarded by the flusher's lock: the write that waits to be tried again, if there is one. */
  Flusher.@Nullable Retry retry;

  Machine(
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
    this.maxReplayed = maxUnflushed / REPLAYED_PART;
    this.batcherDelayNanos = Nanos.of(config.batcherDelay());
    this.announcer = new Announcer(partition, config.listener());
    this.backoff = new Backoff(environment, config.retryCap());
    this.changed = environment.newSignal();
    this.backlog = new Backlog(kinds.places());
    this.transaction = new OpenTransaction(kinds);
    this.cache = new NumberCache(lock, budget, transaction, kinds.count());
  }

  /** Begins the first actualization; apart from construction, so that {@code this} is complete. */
  void begin() {
    lock.lock();
    try {
      startActualizing(true);
    } finally {
      lock.unlock();
    }
  }

  SequencerState state() {
    return isInTransaction() ? SequencerState.IN_TRANSACTION : stage;
  }

  @SuppressWarnings("GuardedBy") // of an unlocked caller's own verbs, or the state tells
  boolean isInTransaction() {
    return (transaction.isOpen() || backlog.stagedEvents > 0) && isReady();
  }

  /** Whether it is READY or IN_TRANSACTION. */
  boolean isReady() {
    return stage == SequencerState.READY;
  }

  boolean isFinal() {
    return isFinal(stage);
  }

  /** Why no transaction may start now. */
  @GuardedBy("lock")
  Refusal refusal() {
    if (isReady()) {
      return isFull() ? Refusal.BACKPRESSURE : Refusal.NONE;
    }
    return switch (stage) {
      case READY, IN_TRANSACTION -> throw new AssertionError(stage);
      case ACTUALIZING -> Refusal.ACTUALIZING;
      case FENCED -> Refusal.FENCED;
      case FAILED -> Refusal.FAILED;
      case CLOSED -> Refusal.CLOSED;
    };
  }

  /** Whether more numbers wait than may, counting those of the group that is being staged. */
  @GuardedBy("lock")
  private boolean isFull() {
    return backlog.waiting().size() + backlog.staged.size() > mostWaiting();
  }

  /** The limit, less what the write in flight has above it: one group, and not one more. */
  @GuardedBy("lock")
  private int mostWaiting() {
    return maxUnflushed - Math.max(0, backlog.inFlightSize() - maxUnflushed);
  }

  /**
   * Whether the group that is being staged is over the limit by itself. Looks at the limit again:
   * the flusher may have made room since a start was refused.
   */
  @GuardedBy("lock")
  boolean isGroupTooLarge() {
    int waiting = backlog.waiting().size();
    return waiting <= maxUnflushed && waiting + backlog.staged.size() > maxUnflushed;
  }

  /** Reads the log's tail in the background; {@code settled} when no outcome is unknown. */
  @GuardedBy("lock")
  void startActualizing(boolean settled) {
    forgetNumbers();
    become(SequencerState.ACTUALIZING);
    Actualization next = new Actualization(this, environment, storage, backoff, settled);
    actualization = next;
    environment.execute(Lane.REPLAY, next);
  }

  SequencerStatus status() {
    lock.lock();
    try {
      Throwable error = actualizationError != null ? actualizationError : flushError;
      return new SequencerStatus(
          state(),
          nextOffset,
          backlog.storedOffset(),
          backlog.waiting().size(),
          backlog.inFlightSize(),
          error);
    } finally {
      lock.unlock();
    }
  }

  boolean awaitReady(Duration patience) {
    long deadline = environment.nanoTime() + Nanos.of(patience);
    while (true) {
      long ticket = changed.ticket();
      SequencerState now = stage;
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

  boolean close(Duration patience) {
    long deadline = environment.nanoTime() + Nanos.of(patience);
    lock.lock();
    try {
      cancelActualization();
      forgetNumbers();
      become(SequencerState.CLOSED);
      if (!writesEnded && backlog.isPending()) {
        flusher.wake(this, true);
        flusher.hurry(this);
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
        changed.raise();
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
    boolean taken;
    lock.lock();
    try {
      askedForFlush = false;
      askedUrgently = false;
      taken = !writesEnded && backlog.take();
    } finally {
      lock.unlock();
    }
    if (taken) {
      changed.raise(); // what is in flight leaves room for more
    }
    return taken;
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
  SeqValues fillBatch() {
    return backlog.fillBatch();
  }

  @SuppressWarnings("GuardedBy") // handed over by takeBatch, under the lock
  long batchOffset() {
    return backlog.batchOffset();
  }

  void writeBatch() {
    storage.writeValuesAndOffset(fillBatch(), batchOffset());
  }

  /** Notes that the batch is stored; answers who tells the listener, once nothing waits for it. */
  @SuppressWarnings("GuardedBy") // the batch is the flusher's
  Runnable batchWritten() {
    int values = backlog.batch().size();
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
    return () -> announcer.flushed(values, offset);
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

  /** Room for events on their way to the backlog; far less than may wait there. */
  ReplayBuffer newReplayBuffer() {
    return new ReplayBuffer(kinds, maxReplayed);
  }

  void replayBegins(long storedOffset) {
    lock.lock();
    try {
      backlog.seenStored(storedOffset);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the numbers of events before an offset, and waits while too many are waiting already.
   * They are flushed later than those of commands, when there is room for one more buffer: a short
   * tail is read to its end without a flush.
   */
  void replayed(Actualization by, ReplayBuffer events) {
    boolean expectsRoom = true;
    while (true) {
      long ticket = changed.ticket();
      lock.lock();
      try {
        by.check();
        if (backlog.waiting().size() + events.sizeWithoutLast() <= mostWaiting()) {
          backlog.waiting().mergeAll(events.values());
          backlog.cover(events.end());
          askForFlush(backlog.waiting().size() >= maxUnflushed - maxReplayed);
          return;
        }
        askForFlush(true);
        if (flushError != null) { // gives its thread back; trying again starts where storage is
          throw new StorageUnavailableException("replay waits for failing flushes", flushError);
        }
      } finally {
        lock.unlock();
      }
      if (!expectsRoom || !environment.linger(Lane.REPLAY, () -> changed.ticket() != ticket)) {
        changed.await(ticket, batcherDelayNanos);
        expectsRoom = changed.ticket() != ticket; // else storage hangs
      }
    }
  }

  void replayProgress(long offset, long eventsRead) {
    announcer.actualizing(offset, eventsRead);
  }

  void actualized(long offset, long eventsRead) {
    lock.lock();
    try {
      if (state() != SequencerState.ACTUALIZING) {
        return;
      }
      if (offset < backlog.coveredOffset()) {
        throw new StorageCorruptedException(
            "the log ends before offset %d, but events before %d were acknowledged"
                .formatted(offset, backlog.coveredOffset()));
      }
      actualizationError = null;
      actualization = null; // with its buffer
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
    announcer.actualizing(offset - 1, eventsRead);
    announcer.ready(offset, eventsRead);
  }

  /** Answers whether it is to be tried again. */
  boolean actualizationFailed(Throwable cause, Duration pause) {
    lock.lock();
    try {
      if (isFinal()) {
        return false;
      }
      actualizationError = cause;
    } finally {
      lock.unlock();
    }
    announcer.retrying("actualize", pause, cause);
    return true;
  }

  /** Ends the sequencer for good: another owner has the partition, or the storage is damaged. */
  void stop(SequencerState last, Throwable cause) {
    lock.lock();
    try {
      if (isFinal()) {
        return;
      }
      cancelActualization();
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

  @GuardedBy("lock")
  private void cancelActualization() {
    if (actualization != null) {
      actualization.cancel();
    }
  }

  /** An open transaction stays the caller's; the state tells it that there is no going on. */
  @GuardedBy("lock")
  private void forgetNumbers() {
    backlog.dropStaged();
    cache.clear();
  }

  /** Wakes the flusher when the backlog stops being empty, and again when it is half full. */
  @GuardedBy("lock")
  void askForFlush() {
    askForFlush(backlog.waiting().size() * 2 >= maxUnflushed);
  }

  @GuardedBy("lock")
  private void askForFlush(boolean now) {
    if (now ? !askedUrgently : !askedForFlush && backlog.isWaiting()) {
      askedForFlush = true;
      askedUrgently = now;
      flusher.wake(this, now);
    }
  }

  @GuardedBy("lock")
  void become(SequencerState next) {
    if (isFinal() && next != SequencerState.CLOSED) {
      return;
    }
    stage = next;
  }

  private static boolean isFinal(SequencerState state) {
    return state == SequencerState.FENCED
        || state == SequencerState.FAILED
        || state == SequencerState.CLOSED;
  }

  static boolean interrupted() {
    return Thread.currentThread().isInterrupted();
  }
}
