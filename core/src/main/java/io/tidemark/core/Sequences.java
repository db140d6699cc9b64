package io.tidemark.core;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.ISequences;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.ISequenceStorage;

/** Opens the SQL-like sequences of an application, on any storage. */
public final class Sequences {
  private Sequences() {}

  /**
   * Claims an application's sequences, for those who draw with transactions of their own.
   *
   * @param owner a diagnostic text, such as host and process
   * @param transactionType the storage's transaction, such as {@code java.sql.Connection}
   * @throws IllegalArgumentException if the storage has another type of transaction; the claim was
   *     made then
   */
  public static <T> ISequences<T> open(
      IAppStorage application, String owner, Class<T> transactionType) {
    requireNonNull(transactionType, "transactionType");
    ISequenceStorage<?> storage = application.sequences(owner);
    if (storage.transactionType() != transactionType) {
      throw new IllegalArgumentException(
          "transactionType must be "
              + storage.transactionType().getName()
              + " on this storage, was "
              + transactionType.getName());
    }
    @SuppressWarnings("unchecked") // just compared
    ISequenceStorage<T> typed = (ISequenceStorage<T>) storage;
    return over(typed, SequencesConfig.defaults(), Environment.system());
  }

  /**
   * Claims an application's sequences.
   *
   * @param owner a diagnostic text, such as host and process
   */
  public static ISequences<?> open(IAppStorage application, String owner) {
    return over(application.sequences(owner), SequencesConfig.defaults(), Environment.system());
  }

  /** The sequences of a claim, with choices and an environment of the caller's. */
  public static <T> ISequences<T> over(
      ISequenceStorage<T> claimed, SequencesConfig config, Environment environment) {
    return new SequenceCatalog<>(claimed, config, environment);
  }
}
