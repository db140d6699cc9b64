package io.tidemark.api;

/**
 * One SQL-like sequence. The verbs mean what PostgreSQL's functions of the same purpose mean.
 *
 * <p>Each draw and each change adds one to the version. Between two changes the numbers are
 * distinct and in order: a draw that begins after another one has returned {@code v} answers at
 * least {@code v + increment}, or at most that when counting down, until the sequence cycles. [I18]
 *
 * <p><b>Threads.</b> Safe for use by many threads at once; a draw takes no lock. Draws wait while
 * {@code set}, {@code restart}, {@code alter} or {@code drop} write.<br>
 * <b>Failure.</b> A draw from a sequence that was dropped is {@link UnknownSequenceException}. A
 * draw past the range of one that does not cycle is {@link SequenceExhaustedException}, again and
 * again, and uses up no version. A change that is {@link OutcomeUnknownException} may have
 * happened; repeat it.
 *
 * @param <T> the storage's transaction
 */
public interface ISequence<T> {

  /** The id the storage gave. */
  long id();

  /** The definition. */
  SequenceDefinition definition();

  /**
   * Draws a number that becomes durable only with a later durable draw or change, or with an
   * orderly close. Allocates nothing.
   */
  long next();

  /**
   * Draws a number that becomes durable exactly when {@code transaction} does. A rollback
   * does not give it back.
   */
  long next(T transaction);

  /** Draws a number that is durable on return, in a transaction of its own. */
  long nextDurable();

  /**
   * The number last drawn by this owner since it opened the sequences, by any thread, or the value
   * last set as called.
   *
   * @throws IllegalStateException if there is none
   */
  long current();

  /** The state in memory. */
  VersionedValue state();

  /**
   * Sets the value, durable on return: the next draw follows it, or answers it if not called.
   *
   * @throws InvalidSequenceException if {@code value} is outside the range
   */
  void set(long value, boolean called);

  /** The next draw answers the definition's start; durable on return. */
  void restart();

  /**
   * The next draw answers {@code with}; durable on return.
   *
   * @throws InvalidSequenceException if {@code with} is outside the range
   */
  void restart(long with);
}
