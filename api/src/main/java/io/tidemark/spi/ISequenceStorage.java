package io.tidemark.spi;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.VersionedValue;
import java.util.List;
import java.util.function.Consumer;

/**
 * The durable state of an application's SQL-like sequences, claimed by one owner.
 *
 * <p><b>Threads.</b> Safe for use by many threads at once. Create, drop and {@link #getLatest} are
 * for definition and recovery; {@link #put} is for every draw.
 *
 * @param <T> the storage's transaction, such as a JDBC connection
 */
public interface ISequenceStorage<T> {

  /** The type of transaction {@link #put} takes. */
  Class<T> transactionType();

  /** Runs {@code work} in a transaction of the storage's own and makes it durable. */
  void transact(Consumer<T> work);

  /** Stores a new sequence and answers its id, which is never given again. */
  long create(T transaction, SequenceDefinition definition);

  /** Replaces a definition. */
  void alter(T transaction, long id, SequenceDefinition definition);

  /** Removes a sequence. */
  void drop(T transaction, long id);

  /** Every stored sequence. */
  List<CatalogEntry> catalog();

  /**
   * Registers a value with the caller's transaction: durable exactly when that is. Lower or
   * equal versions have no effect on what {@link #getLatest} answers, and overlapping transactions
   * both commit.
   *
   * @throws IllegalArgumentException if the version is not positive
   * @throws IllegalStateException if the transaction is finished
   */
  void put(T transaction, long id, VersionedValue value);

  /** The durable value with the highest version; version 0 if none was put. */
  VersionedValue getLatest(long id);

  /**
   * Deletes durable registrations below the highest durable version, where the storage keeps them.
   * Never changes what {@link #getLatest} answers; may be called at any time, from any thread.
   */
  default void prune(long id) {}

  /**
   * One stored sequence.
   *
   * @param id its id
   * @param definition its definition
   */
  record CatalogEntry(long id, SequenceDefinition definition) {}
}
