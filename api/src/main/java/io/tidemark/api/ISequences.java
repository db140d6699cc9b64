package io.tidemark.api;

import java.util.List;

/**
 * SQL-like sequences of one application: {@code CREATE SEQUENCE} semantics on any storage.
 *
 * <p>A weaker class than partition numbers: a draw that did not become durable before a crash may
 * be forgotten and drawn again; gaps are normal.
 *
 * <p><b>Threads.</b> Safe for use by many threads at once.<br>
 * <b>Ownership.</b> Opened by a claim: one owning process. A second claim fences the first, whose
 * durable draws then fail with {@link FencedException}.
 *
 * @param <T> the storage's transaction, such as a JDBC connection
 */
public interface ISequences<T> extends AutoCloseable {

  /**
   * Creates a sequence, durable on return, and answers its id, which is never reused.
   *
   * @throws SequenceExistsException if there is one of that name
   */
  long create(SequenceDefinition definition);

  /**
   * The sequence of this name; the same object each time.
   *
   * @throws UnknownSequenceException if there is none
   */
  ISequence<T> open(String name);

  /**
   * The definition of the sequence of this name.
   *
   * @throws UnknownSequenceException if there is none
   */
  SequenceDefinition describe(String name);

  /** All sequences, by name. */
  List<SequenceDefinition> list();

  /**
   * Changes a definition in place, durable on return; the name in {@code definition} says which.
   * Start counts from the next {@code restart} on, the rest from the next draw on.
   *
   * @throws InvalidSequenceException if the last number drawn lies outside the new range
   * @throws UnknownSequenceException if there is none of that name
   */
  void alter(SequenceDefinition definition);

  /**
   * Removes a sequence for ever, durable on return. One created with its name later starts afresh.
   *
   * @throws UnknownSequenceException if there is none
   */
  void drop(String name);

  /**
   * Ends all drawing and registers what was drawn without a transaction, so that an orderly stop
   * repeats nothing. A storage that is down does not hold it up or make it fail.
   */
  @Override
  void close();
}
