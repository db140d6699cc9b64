package io.tidemark.api;

/**
 * One SQL-like sequence. The verbs mean what PostgreSQL's functions of the same purpose mean.
 *
 * <p><b>Threads.</b> Safe for use by many threads at once; a draw takes no lock.
 *
 * @param <T> the storage's transaction
 */
public interface ISequence<T> {

  /** The id the storage gave. */
  long id();

  /** The definition. */
  SequenceDefinition definition();

  /** Draws a number that becomes durable only with a later durable draw. Allocates nothing. */
  long next();

  /** Draws a number that becomes durable exactly when {@code transaction} does. */
  long next(T transaction);

  /**
   * The number last drawn through this object.
   *
   * @throws IllegalStateException if none was
   */
  long current();

  /** The state in memory. */
  VersionedValue state();

  /** Sets the value, durable on return: the next draw follows it, or answers it if not called. */
  void set(long value, boolean called);

  /** The next draw answers the definition's start; durable on return. */
  void restart();

  /** The next draw answers {@code with}; durable on return. */
  void restart(long with);
}
