package io.tidemark.core;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceExhaustedException;
import io.tidemark.api.VersionedValue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The draws of an SQL-like sequence between two changes (set, restart, alter, drop, close).
 *
 * <p>Within a stretch each draw adds one to the version, and the number is a function of how many
 * were drawn before it: so the only mutable thing is one counter, and a draw is one atomic addition
 * and one multiplication. Cycling needs no new stretch: past the first {@link #straight} numbers
 * the same ones come again in a fixed period.
 *
 * <p>The counter may pass {@link #limit}: each refused draw adds one, and {@link #state} cuts that
 * off, so a refused draw consumes no version. It cannot come around: that takes 2^63 draws.
 *
 * <p>A change <i>seals</i> its stretch by making the counter negative in one atomic exchange, which
 * answers exactly how many were drawn. Whoever draws from a sealed stretch gets a negative index
 * and waits for the next one. Of two draws, one with an index before the seal belongs to the old
 * stretch, the other one to the new; there is no third case.
 */
final class Stretch {
  private static final long SEALED = Long.MIN_VALUE;
  private static final VarHandle DRAWN;

  static {
    try {
      DRAWN = MethodHandles.lookup().findVarHandle(Stretch.class, "drawn", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final SequenceDefinition definition;
  private final VersionedValue base;
  private final OptionalLong current;
  private final @Nullable Supplier<RuntimeException> ending;

  /** What draw 0 answers; meaningless where {@link #straight} is 0. */
  private final long first;

  private final long step;

  /** How many draws go straight on from {@link #first} before the range or the versions end. */
  private final long straight;

  /** After how many draws past the first wrap the same numbers come again. */
  private final long period;

  /** How many draws there can be at all. */
  private final long limit;

  private volatile long drawn;

  private Stretch(
      SequenceDefinition definition,
      VersionedValue base,
      OptionalLong current,
      @Nullable Supplier<RuntimeException> ending) {
    this.definition = definition;
    this.base = base;
    this.current = current;
    this.ending = ending;
    step = definition.increment();
    long versions = ending != null ? 0 : Long.MAX_VALUE - base.version();
    boolean given = !base.issued() && definition.contains(base.value());
    boolean room = given || definition.cycle() || !definition.exceededAfter(base.value());
    first = given ? base.value() : room ? definition.after(base.value()) : 0;
    straight = Math.min(versions, room ? numbersFrom(definition, first) : 0);
    period = numbersFrom(definition, definition.firstBound());
    limit = definition.cycle() ? versions : straight;
    drawn = ending != null ? SEALED : 0;
  }

  /**
   * What follows {@code base}.
   *
   * @param current what was last handed out in this process, if anything was
   */
  static Stretch after(SequenceDefinition definition, VersionedValue base, OptionalLong current) {
    return new Stretch(definition, base, current, null);
  }

  /** The end: no draw, ever; {@code ending} says why. */
  static Stretch ended(Stretch last, Supplier<RuntimeException> ending) {
    return new Stretch(last.definition, last.base, last.current, ending);
  }

  /** How many numbers there are from {@code first} to the end, at most {@link Long#MAX_VALUE}. */
  private static long numbersFrom(SequenceDefinition definition, long first) {
    long increment = definition.increment();
    long steps =
        increment > 0
            ? Long.divideUnsigned(definition.max() - first, increment)
            : Long.divideUnsigned(first - definition.min(), -increment);
    return steps < 0 || steps == Long.MAX_VALUE ? Long.MAX_VALUE : steps + 1;
  }

  SequenceDefinition definition() {
    return definition;
  }

  /** Why there is no draw, ever; null while there may be. */
  @Nullable Supplier<RuntimeException> ending() {
    return ending;
  }

  /** Takes the next index; negative if sealed, valid if {@link #has} says so. */
  long take() {
    return (long) DRAWN.getAndAdd(this, 1L);
  }

  /** Whether an index is one of the draws before the first wrap: the common case. */
  boolean isStraight(long index) {
    return Long.compareUnsigned(index, straight) < 0;
  }

  /** The number at an index for which {@link #isStraight} holds. */
  long straight(long index) {
    return first + index * step;
  }

  /** Whether a draw with this index was granted. */
  boolean has(long index) {
    return Long.compareUnsigned(index, limit) < 0;
  }

  /** The number at any granted index. */
  long number(long index) {
    if (isStraight(index)) {
      return straight(index);
    }
    return definition.firstBound() + (index - straight) % period * step;
  }

  /** The version of the draw at a granted index. */
  long version(long index) {
    return base.version() + index + 1;
  }

  /** The state now; null once sealed. */
  @Nullable VersionedValue state() {
    long count = drawn;
    return count < 0 ? null : stateAfter(Math.min(count, limit));
  }

  /** Ends the stretch and answers its exact last state. Called once, under the change lock. */
  VersionedValue seal() {
    long count = (long) DRAWN.getAndSet(this, SEALED);
    if (count < 0) {
      throw new IllegalStateException("sealed twice: " + this);
    }
    return stateAfter(Math.min(count, limit));
  }

  private VersionedValue stateAfter(long count) {
    return count == 0 ? base : new VersionedValue(version(count - 1), number(count - 1), true);
  }

  /** What was last handed out in this process, where {@code state} is this stretch's. */
  OptionalLong current(VersionedValue state) {
    return state.version() == base.version() ? current : OptionalLong.of(state.value());
  }

  /** Why the index was not granted, though the stretch is not sealed. */
  SequenceExhaustedException exhausted() {
    VersionedValue last = stateAfter(limit);
    if (last.version() == Long.MAX_VALUE) {
      return new SequenceExhaustedException(
          "sequence %s is exhausted: its version has reached %d"
              .formatted(definition.name(), Long.MAX_VALUE));
    }
    return definition.exhausted(last.value(), 1);
  }

  @Override
  public String toString() {
    return definition.name() + " from " + base;
  }
}
