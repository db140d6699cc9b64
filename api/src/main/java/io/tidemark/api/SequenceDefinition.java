package io.tidemark.api;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * What a sequence counts: where it starts, its inclusive range, its step, and whether it starts
 * over at the end. Valid by construction.
 *
 * <p>Defaults are PostgreSQL's: increment 1; ascending 1..{@link Long#MAX_VALUE} from min,
 * descending {@link Long#MIN_VALUE}..-1 from max; no cycle. {@link #parse} reads the SQL form and
 * {@link #toString} writes it.
 *
 * @param name the sequence's name
 * @param start the first number drawn
 * @param min the smallest number
 * @param max the largest number
 * @param increment the step, not 0, negative to count down; may exceed the range
 * @param cycle whether drawing goes on at the other end of the range
 */
public record SequenceDefinition(
    String name, long start, long min, long max, long increment, boolean cycle) {

  /** Refuses a definition that contradicts itself, naming the field. */
  public SequenceDefinition {
    requireNonNull(name, "name");
    if (name.isBlank()) {
      throw new InvalidSequenceException("name", "name must not be blank");
    }
    if (increment == 0) {
      throw new InvalidSequenceException("increment", "increment must not be 0");
    }
    if (min >= max) {
      throw new InvalidSequenceException(
          "range", "min must be less than max, was " + min + " and " + max);
    }
    if (start < min || start > max) {
      throw new InvalidSequenceException(
          "start", "start must be within " + min + ".." + max + ", was " + start);
    }
  }

  /** Begins a definition with the defaults. */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** Reads {@code CREATE SEQUENCE name …}; bad text is refused with its position and word. */
  public static SequenceDefinition parse(String sql) {
    return new SequenceParser(sql).parse();
  }

  /**
   * Whether a draw after {@code last} would leave the range. Never overflows.
   *
   * <p>A last number short of the range (below min ascending, above max descending) leaves room:
   * the next draw answers the near bound.
   */
  public boolean exceededAfter(long last) {
    return increment > 0
        ? last >= min && (last > max || Long.compareUnsigned(max - last, increment) < 0)
        : last <= max && (last < min || Long.compareUnsigned(last - min, -increment) < 0);
  }

  /**
   * The number after {@code last}: the near bound when {@code last} is short of the range, the far
   * side's opposite bound when the range is exceeded and the sequence cycles.
   *
   * @throws SequenceExhaustedException when the range is exceeded and the sequence does not cycle
   */
  public long after(long last) {
    if (increment > 0 ? last < min : last > max) {
      return firstBound();
    }
    if (!exceededAfter(last)) {
      return last + increment;
    }
    if (cycle) {
      return firstBound();
    }
    throw exhausted(last, 1);
  }

  /** Where counting begins again: min ascending, max descending. */
  public long firstBound() {
    return increment > 0 ? min : max;
  }

  /** Whether {@code number} lies in the range. */
  public boolean contains(long number) {
    return number >= min && number <= max;
  }

  /** The exception that says {@code count} numbers after {@code last} do not fit. */
  public SequenceExhaustedException exhausted(long last, long count) {
    return new SequenceExhaustedException(
        "sequence %s is exhausted: %d more after %d would pass its %s %d"
            .formatted(
                name, count, last, increment > 0 ? "max" : "min", increment > 0 ? max : min));
  }

  /** The definition with other values, starting from this one. */
  public Builder toBuilder() {
    return new Builder(name).start(start).min(min).max(max).increment(increment).cycle(cycle);
  }

  /** The SQL form, complete: what {@link #parse} reads back as an equal definition. */
  @Override
  public String toString() {
    return "CREATE SEQUENCE "
        + SequenceParser.quote(name)
        + " START WITH "
        + start
        + " INCREMENT BY "
        + increment
        + " MINVALUE "
        + min
        + " MAXVALUE "
        + max
        + (cycle ? " CYCLE" : " NO CYCLE");
  }

  /** Collects what was given; the rest gets the defaults. */
  public static final class Builder {
    private final String name;
    private @Nullable Long start;
    private @Nullable Long min;
    private @Nullable Long max;
    private long increment = 1;
    private boolean cycle;

    Builder(String name) {
      this.name = name;
    }

    /** The first number; null for the default. */
    public Builder start(@Nullable Long value) {
      start = value;
      return this;
    }

    /** The smallest number; null for the default. */
    public Builder min(@Nullable Long value) {
      min = value;
      return this;
    }

    /** The largest number; null for the default. */
    public Builder max(@Nullable Long value) {
      max = value;
      return this;
    }

    /** The step. */
    public Builder increment(long value) {
      increment = value;
      return this;
    }

    /** Whether to start over at the end. */
    public Builder cycle(boolean value) {
      cycle = value;
      return this;
    }

    /** The definition, checked. */
    public SequenceDefinition build() {
      boolean up = increment > 0;
      long low = min != null ? min : up ? 1 : Long.MIN_VALUE;
      long high = max != null ? max : up ? Long.MAX_VALUE : -1;
      long first = start != null ? start : up ? low : high;
      return new SequenceDefinition(name, first, low, high, increment, cycle);
    }
  }
}
