package io.tidemark.core;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.Environment.Lane;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
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
  private final Environment environment;
  private final GroupWriter writer;
  private final Duration interval;
  private final Backoff backoff;
  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable round = this::round;
  private final Runnable timeUp = this::timeUp;

  @GuardedBy("lock")
  private final ArrayDeque<Machine> dirty = new ArrayDeque<>();

  @GuardedBy("lock")
  private boolean urgent;

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
      urgent |= now;
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
    if (urgent) {
      running = true;
      environment.execute(Lane.FLUSH, round);
    } else if (timer == null) {
      timer = environment.schedule(interval, Lane.FLUSH, timeUp);
    }
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

  private void round() {
    List<Machine> taken = take();
    if (!taken.isEmpty()) {
      write(taken);
    }
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

  private void write(List<Machine> taken) {
    try {
      writer.write(taken);
    } catch (RuntimeException | LinkageError e) {
      if (taken.size() == 1) {
        retryAlone(taken.get(0), 0, e);
      } else {
        taken.forEach(machine -> environment.execute(Lane.FLUSH, () -> alone(machine, 0)));
      }
      return;
    }
    taken.forEach(Machine::batchWritten);
  }

  private void alone(Machine machine, int attempt) {
    if (!machine.mayWrite()) {
      return;
    }
    try {
      machine.writeBatch();
    } catch (RuntimeException | LinkageError e) {
      retryAlone(machine, attempt, e);
      return;
    }
    machine.batchWritten();
  }

  private void retryAlone(Machine machine, int attempt, Throwable cause) {
    Duration pause = backoff.pause(attempt);
    if (machine.batchFailed(cause, pause)) {
      environment.schedule(pause, Lane.FLUSH, () -> alone(machine, attempt + 1));
    }
  }
}
