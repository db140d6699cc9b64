package io.tidemark.core;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.api.FencedException;
import io.tidemark.api.ISequence;
import io.tidemark.api.InvalidSequenceException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceExhaustedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.ISequenceStorage;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One SQL-like sequence of an owner.
 *
 * <p>Draws go to the {@link Stretch} in use and take no lock. A change takes the lock, seals the
 * stretch, writes, and publishes the next one; draws that meet a sealed stretch wait for the lock.
 * They must wait: a draw with a version past that of a change would override it in the storage.
 * Whatever becomes of the write, a next stretch is published. A version that may have been written
 * is not used again.
 */
final class SqlSequence<T> implements ISequence<T> {
  private final long id;
  private final ISequenceStorage<T> storage;
  private final SequencePruner<T> pruner;
  private final Consumer<FencedException> onFenced;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Stretch stretch;

  /** The highest version this owner knows to be durable; a caller's own commits it cannot see. */
  private final AtomicLong durable;

  private volatile boolean doubtful;

  SqlSequence(
      long id,
      SequenceDefinition definition,
      ISequenceStorage<T> storage,
      SequencePruner<T> pruner,
      Consumer<FencedException> onFenced) {
    this.id = id;
    this.storage = storage;
    this.pruner = pruner;
    this.onFenced = onFenced;
    VersionedValue latest = storage.getLatest(id);
    durable = new AtomicLong(latest.version());
    VersionedValue base =
        latest.version() > 0 ? latest : new VersionedValue(0, definition.start(), false);
    stretch = Stretch.after(definition, base, OptionalLong.empty());
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public SequenceDefinition definition() {
    return stretch.definition();
  }

  @Override
  public long next() {
    Stretch now = stretch;
    long index = now.take();
    return now.isStraight(index) ? now.straight(index) : wrappedOrLater(now, index);
  }

  private long wrappedOrLater(Stretch taken, long takenIndex) {
    Stretch now = taken;
    long index = takenIndex;
    while (!now.has(index)) {
      now = following(now, index);
      index = now.take();
    }
    return now.number(index);
  }

  @Override
  public long next(T transaction) {
    requireNonNull(transaction, "transaction");
    VersionedValue drawn = draw();
    watchingForFences(() -> storage.put(transaction, id, drawn));
    pruner.registered(id);
    return drawn.value();
  }

  /** Draws once, whatever becomes of the transaction: a storage may run its work again. */
  @Override
  public long nextDurable() {
    VersionedValue drawn = draw();
    watchingForFences(() -> storage.transact(transaction -> storage.put(transaction, id, drawn)));
    durable.accumulateAndGet(drawn.version(), Math::max);
    pruner.registered(id);
    return drawn.value();
  }

  private VersionedValue draw() {
    Stretch now = stretch;
    long index = now.take();
    while (!now.has(index)) {
      now = following(now, index);
      index = now.take();
    }
    return new VersionedValue(now.version(index), now.number(index), true);
  }

  /** The stretch after one that refused an index. */
  private Stretch following(Stretch refused, long index) {
    if (index >= 0) {
      throw refused.exhausted();
    }
    lock.lock();
    try {
      return live();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private Stretch live() {
    Supplier<RuntimeException> ending = stretch.ending();
    if (ending != null) {
      throw ending.get();
    }
    return stretch;
  }

  @Override
  public long current() {
    OptionalLong current = look((now, state) -> now.current(state));
    return current.orElseThrow(
        () ->
            new IllegalStateException(
                "sequence " + definition().name() + " was not drawn from yet by this owner"));
  }

  @Override
  public VersionedValue state() {
    return look((now, state) -> state);
  }

  private interface Look<R> {
    R at(Stretch now, VersionedValue state);
  }

  private <R> R look(Look<R> what) {
    Stretch now = stretch;
    VersionedValue state = now.state();
    if (state != null) {
      return what.at(now, state);
    }
    lock.lock();
    try {
      Stretch next = live();
      return what.at(next, requireNonNull(next.state()));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void set(long value, boolean called) {
    change(
        (definition, state) -> {
          requireContained("value", definition, value);
          return new VersionedValue(following(state), value, called);
        },
        null);
  }

  @Override
  public void restart() {
    change(
        (definition, state) -> new VersionedValue(following(state), definition.start(), false),
        null);
  }

  @Override
  public void restart(long with) {
    change(
        (definition, state) -> {
          requireContained("restart", definition, with);
          return new VersionedValue(following(state), with, false);
        },
        null);
  }

  void alter(SequenceDefinition definition) {
    change(
        (unused, state) -> {
          requireContained("restart", definition, state.value());
          return new VersionedValue(following(state), state.value(), state.issued());
        },
        definition);
  }

  private long following(VersionedValue state) {
    if (state.version() == Long.MAX_VALUE) {
      throw new SequenceExhaustedException(
          "sequence %s cannot be changed: its version has reached %d"
              .formatted(definition().name(), Long.MAX_VALUE));
    }
    return state.version() + 1;
  }

  private static void requireContained(String field, SequenceDefinition definition, long value) {
    if (!definition.contains(value)) {
      throw new InvalidSequenceException(
          field,
          "%s of sequence %s must be within %d..%d, was %d"
              .formatted(field, definition.name(), definition.min(), definition.max(), value));
    }
  }

  /** What a change makes of the last state; refuses by throwing. */
  private interface Change {
    VersionedValue of(SequenceDefinition definition, VersionedValue state);
  }

  private void change(Change change, @Nullable SequenceDefinition newDefinition) {
    lock.lock();
    try {
      Stretch old = live();
      VersionedValue state = old.seal();
      OptionalLong current = old.current(state);
      Stretch next = Stretch.after(old.definition(), state, current);
      try {
        VersionedValue wanted = change.of(old.definition(), state);
        // Until the storage says otherwise, the version may have been used up.
        next = Stretch.after(old.definition(), skipping(state, wanted), current);
        try {
          write(wanted, newDefinition);
        } catch (StorageUnavailableException nothingWritten) {
          next = Stretch.after(old.definition(), state, current);
          throw nothingWritten;
        }
        durable.accumulateAndGet(wanted.version(), Math::max);
        SequenceDefinition definition = newDefinition == null ? old.definition() : newDefinition;
        boolean seen = newDefinition == null && wanted.issued();
        next = Stretch.after(definition, wanted, seen ? OptionalLong.of(wanted.value()) : current);
      } finally {
        stretch = next;
      }
    } finally {
      lock.unlock();
    }
  }

  private static VersionedValue skipping(VersionedValue state, VersionedValue wanted) {
    return new VersionedValue(wanted.version(), state.value(), state.issued());
  }

  private void write(VersionedValue value, @Nullable SequenceDefinition newDefinition) {
    watchingForFences(
        () ->
            storage.transact(
                transaction -> {
                  if (newDefinition != null) {
                    storage.alter(transaction, id, newDefinition);
                  }
                  storage.put(transaction, id, value);
                }));
    pruner.registered(id);
  }

  /** Drops the sequence, durable on return. One that the storage no longer has ends as well. */
  void drop() {
    lock.lock();
    try {
      Stretch old = live();
      VersionedValue state = old.seal();
      Stretch next = Stretch.after(old.definition(), state, old.current(state));
      try {
        watchingForFences(() -> storage.transact(transaction -> storage.drop(transaction, id)));
        next = Stretch.ended(old, this::dropped);
      } catch (UnknownSequenceException gone) {
        next = Stretch.ended(old, this::dropped);
        throw gone;
      } catch (RuntimeException failed) {
        doubtful = true;
        throw failed;
      } finally {
        stretch = next;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether a drop has failed, and may have happened or may happen yet. */
  boolean isDoubtful() {
    return doubtful;
  }

  UnknownSequenceException dropped() {
    return new UnknownSequenceException("sequence " + definition().name() + " was dropped");
  }

  /**
   * Ends all drawing, without any write.
   *
   * @return what must be registered so that nothing drawn so far comes again; null if all of it is
   *     durable, or the sequence had ended before
   */
  @Nullable VersionedValue end(Supplier<RuntimeException> ending) {
    lock.lock();
    try {
      Stretch old = stretch;
      if (old.ending() != null) {
        return null;
      }
      VersionedValue state = old.seal();
      stretch = Stretch.ended(old, ending);
      return state.version() == durable.get() || state.version() == Long.MAX_VALUE
          ? null
          : new VersionedValue(following(state), state.value(), state.issued());
    } finally {
      lock.unlock();
    }
  }

  private void watchingForFences(Runnable work) {
    try {
      work.run();
    } catch (FencedException fenced) {
      onFenced.accept(fenced);
      throw fenced;
    }
  }

  @Override
  public String toString() {
    return definition().name() + " (" + id + ")";
  }
}
