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

  /** Creates a sequence, durable on return, and answers its id, which is never reused. */
  long create(SequenceDefinition definition);

  /** The sequence of this name. */
  ISequence<T> open(String name);

  /** All sequences, by name. */
  List<SequenceDefinition> list();

  /** Changes a definition in place; the name in {@code definition} says which. */
  void alter(SequenceDefinition definition);

  /** Removes a sequence for ever. */
  void drop(String name);

  @Override
  void close();
}
