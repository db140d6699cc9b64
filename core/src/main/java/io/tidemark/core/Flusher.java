package io.tidemark.core;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.Environment.Lane;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes what waits in all sequencers of an application, in one storage call at a time.
 *
 * <p>A round starts when a sequencer is half full, or when the interval has passed since the first
 * one stopped being empty; it takes what waits everywhere. When a round fails, each of its
 * sequencers goes on alone, so that one that cannot be written holds up no other.
 *
 * <p>Locks: a sequencer's lock may be held when this one is taken, never the other way round.
 */
final class Flusher {
  private static final System.Logger LOG = System.getLogger(Flusher.class.getName());

  private final Environment environment;
  private final GroupWriter writer;
  private final Duration interval;
  private final Backoff backoff;
  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable round = this::round;
  private final Runnable timeUp = this::timeUp;
  private final BooleanSupplier moreIsDue = this::isUrgent;

  @GuardedBy("lock")
  private final ArrayDeque<Machine> dirty = new ArrayDeque<>();

  /** Written under the lock; a lingering round glances at it. */
  private volatile boolean urgent;

  @GuardedBy("lock")
  private boolean running;

  @GuardedBy("lock")
  private Environment.@Nullable Timer timer;

  /** Writes the batches that the given sequencers have in flight. */
  @FunctionalInterface
  interface GroupWriter {
    void write(List<Machine> machines);
  }

  Flusher(Environment environment, SequencerConfig config, GroupWriter writer) {
    this.environment = environment;
    this.writer = writer;
    this.interval = config.maxFlushingInterval();
    this.backoff = new Backoff(environment, config.retryCap());
  }

  /** Something waits in {@code sequencer}; an urgent one does not wait for the interval. */
  void wake(Machine machine, boolean now) {
    lock.lock();
    try {
      if (!machine.queuedForFlush) {
        machine.queuedForFlush = true;
        dirty.add(machine);
      }
      if (now) {
        urgent = true;
      }
      plan();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void plan() {
    if (running || dirty.isEmpty()) {
      return;
    }
    if (urgent && startRound()) {
      return;
    }
    if (timer == null) {
      timer = environment.schedule(interval, Lane.FLUSH, timeUp);
    }
  }

  /** A thread that cannot be started now is not the caller's mishap: the timer tries again. */
  @GuardedBy("lock")
  private boolean startRound() {
    running = true;
    try {
      environment.execute(Lane.FLUSH, round);
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.log(System.Logger.Level.WARNING, "no thread to flush with, trying again later", e);
      running = false;
    }
    return running;
  }

  private void timeUp() {
    lock.lock();
    try {
      timer = null;
      urgent = true;
      plan();
    } finally {
      lock.unlock();
    }
  }

  /** Goes on while this thread is the running one and more is due. */
  private void round() {
    boolean mine = true;
    while (mine) {
      List<Runnable> announcements = writeWhatWaits();
      if (!announcements.isEmpty()) {
        stopRunning();
        announcements.forEach(Runnable::run); // a slow listener holds up no other round
        mine = startRunning();
      }
      mine = mine && staysRunning();
    }
  }

  private List<Runnable> writeWhatWaits() {
    boolean done = false;
    try {
      List<Machine> taken = take();
      List<Runnable> announcements = taken.isEmpty() ? List.of() : write(taken);
      done = true;
      return announcements;
    } finally {
      if (!done) {
        stopRunning();
      }
    }
  }

  private boolean isUrgent() {
    return urgent;
  }

  /** Under a heavy load the next round is due before a sleeping thread could be woken for it. */
  private boolean staysRunning() {
    if (environment.linger(Lane.FLUSH, moreIsDue)) {
      return true;
    }
    stopRunning();
    return false;
  }

  /** False if another thread was first. */
  private boolean startRunning() {
    lock.lock();
    try {
      boolean first = !running;
      running = true;
      return first;
    } finally {
      lock.unlock();
    }
  }

  private void stopRunning() {
    lock.lock();
    try {
      running = false;
      plan();
    } finally {
      lock.unlock();
    }
  }

  private List<Machine> take() {
    List<Machine> candidates;
    lock.lock();
    try {
      candidates = new ArrayList<>(dirty);
      for (Machine machine : dirty) {
        machine.queuedForFlush = false;
      }
      dirty.clear();
      urgent = false;
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
    } finally {
      lock.unlock();
    }
    candidates.removeIf(machine -> !machine.takeBatch());
    return candidates;
  }

  /** Answers what to tell the listeners; nothing when it failed. */
  private List<Runnable> write(List<Machine> taken) {
    try {
      writer.write(taken);
    } catch (
        Throwable e) { // also an Error of the storage's: else nothing would be flushed any more
      if (taken.size() == 1) {
        retryAlone(taken.get(0), 0, e);
      } else {
        taken.forEach(machine -> environment.execute(Lane.RETRY, () -> alone(machine, 0)));
      }
      return List.of();
    }
    List<Runnable> announcements = new ArrayList<>();
    for (Machine machine : taken) {
      Runnable announcement = machine.batchWritten();
      if (machine.announcer.isHeard()) {
        announcements.add(announcement);
      }
    }
    return announcements;
  }

  private void alone(Machine machine, int attempt) {
    if (!machine.mayWrite()) {
      return;
    }
    try {
      machine.writeBatch();
    } catch (Throwable e) { // as above
      retryAlone(machine, attempt, e);
      return;
    }
    machine.batchWritten().run();
  }

  private void retryAlone(Machine machine, int attempt, Throwable cause) {
    Duration pause = backoff.pause(attempt);
    if (!machine.batchFailed(cause, pause)) {
      return;
    }
    lock.lock();
    try {
      Retry retry = new Retry(machine, attempt + 1);
      retry.timer = environment.schedule(pause, Lane.RETRY, retry);
      machine.retry = retry;
    } finally {
      lock.unlock();
    }
  }

  /** Tries a write that waits for its next turn at once. */
  void hurry(Machine machine) {
    lock.lock();
    try {
      Retry retry = machine.retry;
      if (retry != null && retry.timer != null) {
        retry.timer.cancel();
        environment.execute(Lane.RETRY, retry);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A write that is tried again, once, whoever starts it first. */
  final class Retry implements Runnable {
    private final Machine machine;
    private final int attempt;
    private Environment.@Nullable Timer timer;

    Retry(Machine machine, int attempt) {
      this.machine = machine;
      this.attempt = attempt;
    }

    @Override
    public void run() {
      lock.lock();
      try {
        if (machine.retry != this) {
          return;
        }
        machine.retry = null;
      } finally {
        lock.unlock();
      }
      alone(machine, attempt);
    }
  }
}
