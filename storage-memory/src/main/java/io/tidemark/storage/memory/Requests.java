package io.tidemark.storage.memory;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way into a store: every call is one step under the store's one lock, after the script was
 * asked what becomes of it.
 *
 * <p>A request must be complete in itself: it may run later, or twice, so it carries copies of its
 * data and the epoch it was sent with, and checks its conditions whenever it runs.
 */
final class Requests {
  private final ReentrantLock lock = new ReentrantLock();
  private final Outcomes outcomes;
  private final List<Runnable> late = new ArrayList<>();

  Requests(Outcomes outcomes) {
    this.outcomes = outcomes;
  }

  /** Runs {@code step} under the lock, unscripted. */
  <T extends @Nullable Object> T atomically(Supplier<T> step) {
    lock.lock();
    try {
      return step.get();
    } finally {
      lock.unlock();
    }
  }

  /** Runs {@code step} under the lock, unscripted. */
  void step(Runnable step) {
    lock.lock();
    try {
      step.run();
    } finally {
      lock.unlock();
    }
  }

  <T extends @Nullable Object> T read(StorageCall call, Object target, Supplier<T> request) {
    lock.lock();
    try {
      if (outcomes.next(call) == Outcome.REFUSED) {
        throw refused(call, target);
      }
      return request.get();
    } finally {
      lock.unlock();
    }
  }

  void write(StorageCall call, Object target, Runnable request) {
    lock.lock();
    try {
      switch (outcomes.next(call)) {
        case APPLIED -> request.run();
        case REFUSED -> throw refused(call, target);
        case UNKNOWN_APPLIED -> {
          deliver(request);
          throw unknown(call, target);
        }
        case UNKNOWN_LOST -> throw unknown(call, target);
        case UNKNOWN_LATER -> {
          late.add(request);
          throw unknown(call, target);
        }
        case DUPLICATED -> {
          request.run();
          late.add(request);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Delivers one late request; false when the storage refused it. */
  boolean deliverLate(int index) {
    return atomically(() -> deliver(late.remove(index)));
  }

  int deliverLate() {
    return atomically(
        () -> {
          List<Runnable> arriving = List.copyOf(late);
          late.clear();
          int done = 0;
          for (Runnable request : arriving) {
            done += deliver(request) ? 1 : 0;
          }
          return done;
        });
  }

  int lateCount() {
    return atomically(late::size);
  }

  void dropLate() {
    step(late::clear);
  }

  /** Nobody waits for the answer, so a refusal is told to nobody. */
  private static boolean deliver(Runnable request) {
    try {
      request.run();
      return true;
    } catch (StorageException refused) {
      return false;
    }
  }

  private static StorageUnavailableException refused(StorageCall call, Object target) {
    return new StorageUnavailableException(call + " was refused by the script: " + target);
  }

  private static OutcomeUnknownException unknown(StorageCall call, Object target) {
    return new OutcomeUnknownException(call + " got no answer, by the script: " + target);
  }
}
