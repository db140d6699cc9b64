package io.tidemark.storage.foundationdb;

import static java.util.Objects.requireNonNull;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.storage.foundationdb.Keys.SequenceKeys;
import io.tidemark.storage.foundationdb.MetaCodec.Ownership;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * One owner's claim of an application's SQL-like sequences.
 *
 * <p>A value is registered with BYTE_MAX on (version, value, issued), so that two transactions that
 * overlap both commit. Each change reads the claim's key with a conflict range in the caller's own
 * transaction: once another owner has claimed, that transaction cannot commit. What else {@link
 * #put} reads it reads as a snapshot.
 *
 * <p>There is nothing to prune: one row per sequence.
 */
final class FoundationDbSequences implements ISequenceStorage<Transaction> {
  private final FoundationDbAppStorage app;
  private final SequenceKeys keys;
  private final Epoch claim;

  private FoundationDbSequences(FoundationDbAppStorage app, SequenceKeys keys, Epoch claim) {
    this.app = app;
    this.keys = keys;
    this.claim = claim;
  }

  static FoundationDbSequences claim(FoundationDbAppStorage app, String owner) {
    SequenceKeys keys = app.keys().sequences();
    UUID claimId = UUID.randomUUID();
    Epoch claim =
        app.transactions()
            .writeWithId(
                "claim the sequences of " + app,
                transaction -> {
                  Epoch held = MetaCodec.ownership(transaction.get(keys.claim()).join()).epoch();
                  if (held.claimId().equals(claimId)) {
                    return held;
                  }
                  Epoch next = held.next(claimId);
                  transaction.set(keys.claim(), MetaCodec.ownership(next, owner));
                  return next;
                });
    return new FoundationDbSequences(app, keys, claim);
  }

  @Override
  public Class<Transaction> transactionType() {
    return Transaction.class;
  }

  /** Runs {@code work} once: a conflict is {@link StorageUnavailableException}, or the fence. */
  @Override
  public void transact(Consumer<Transaction> work) {
    try {
      app.transactions().once("a transaction on " + this, work);
    } catch (StorageUnavailableException e) {
      Ownership held =
          app.transactions()
              .read(
                  "read the claim of " + this,
                  transaction -> MetaCodec.ownership(transaction.get(keys.claim()).join()));
      requireClaim(held, "a transaction");
      throw e;
    }
  }

  /** The id is taken in a transaction of its own, so that a rollback does not give it back. */
  @Override
  public long create(Transaction transaction, SequenceDefinition definition) {
    requireNonNull(definition, "definition");
    inCallers(transaction, "create", () -> requireClaim(transaction, "create"));
    long id =
        app.transactions()
            .writeAndAnswer(
                "take a sequence id of " + app,
                own -> {
                  byte[] last = own.get(keys.lastId()).join();
                  long next = Math.addExact(MetaCodec.number("the last sequence id", last, 0), 1);
                  own.set(keys.lastId(), MetaCodec.number(next));
                  return next;
                });
    inCallers(
        transaction,
        "create",
        () -> transaction.set(keys.definition(id), MetaCodec.definition(definition)));
    return id;
  }

  @Override
  public void alter(Transaction transaction, long id, SequenceDefinition definition) {
    requireNonNull(definition, "definition");
    inCallers(
        transaction,
        "alter",
        () -> {
          requireClaim(transaction, "alter");
          requireKnown(id, transaction.get(keys.definition(id)).join());
          transaction.set(keys.definition(id), MetaCodec.definition(definition));
        });
  }

  @Override
  public void drop(Transaction transaction, long id) {
    inCallers(
        transaction,
        "drop",
        () -> {
          requireClaim(transaction, "drop");
          requireKnown(id, transaction.get(keys.definition(id)).join());
          transaction.clear(keys.definition(id));
          transaction.clear(keys.value(id));
        });
  }

  @Override
  public void put(Transaction transaction, long id, VersionedValue value) {
    if (value.version() < 1) {
      throw new IllegalArgumentException("version must be >= 1, was " + value.version());
    }
    inCallers(
        transaction,
        "put",
        () -> {
          CompletableFuture<byte[]> held = transaction.get(keys.claim());
          CompletableFuture<byte[]> known = transaction.snapshot().get(keys.definition(id));
          CompletableFuture<byte[]> latest = transaction.snapshot().get(keys.value(id));
          requireClaim(MetaCodec.ownership(held.join()), "put");
          requireKnown(id, known.join());
          byte[] stored = latest.join();
          // BYTE_MAX lets the higher version win; of one version it would let the larger number.
          if (stored == null || MetaCodec.value(stored).version() < value.version()) {
            transaction.mutate(MutationType.BYTE_MAX, keys.value(id), MetaCodec.value(value));
          }
        });
  }

  private void requireClaim(Transaction transaction, String what) {
    requireClaim(MetaCodec.ownership(transaction.get(keys.claim()).join()), what);
  }

  private void requireClaim(Ownership held, String what) {
    if (!held.epoch().equals(claim)) {
      throw new FencedException(
          "%s of %s under claim %s is fenced: owner '%s' holds them with claim %s"
              .formatted(what, this, claim, held.owner(), held.epoch()));
    }
  }

  private void requireKnown(long id, byte[] definition) {
    if (definition == null) {
      throw new UnknownSequenceException("sequence " + id + " is not one of " + this);
    }
  }

  /**
   * Runs a step in the caller's transaction. Errors of the client stay as they are, so that the
   * caller's own retry loop knows them; a finished transaction is the caller's mistake.
   */
  private void inCallers(Transaction transaction, String what, Runnable step) {
    requireNonNull(transaction, "transaction");
    app.transactions();
    try {
      step.run();
    } catch (CompletionException | FDBException e) {
      FDBException failure = FoundationDbErrorClassifier.find(e);
      int code = failure == null ? 0 : failure.getCode();
      if (code == FoundationDbErrorClassifier.USED_DURING_COMMIT
          || code == FoundationDbErrorClassifier.TRANSACTION_CANCELLED) {
        throw new IllegalStateException(
            what + " of " + this + " needs an open transaction, this one is finished", e);
      }
      throw failure == null ? e : failure;
    }
  }

  @Override
  public List<CatalogEntry> catalog() {
    List<CatalogEntry> entries = new ArrayList<>();
    new Scan(app.transactions(), app.nanoTime(), "read the catalog of " + app)
        .rows(
            keys.definitions(),
            keys.definitions().range().begin,
            keys.definitions().range().end,
            false,
            unguarded -> {},
            (key, bytes) ->
                entries.add(new CatalogEntry(key.getLong(0), MetaCodec.definition(bytes))));
    return entries;
  }

  @Override
  public VersionedValue getLatest(long id) {
    return app.transactions()
        .read(
            "read sequence " + id + " of " + app,
            transaction -> {
              CompletableFuture<byte[]> known = transaction.get(keys.definition(id));
              CompletableFuture<byte[]> latest = transaction.get(keys.value(id));
              byte[] definition = known.join();
              requireKnown(id, definition);
              byte[] stored = latest.join();
              return stored != null
                  ? MetaCodec.value(stored)
                  : new VersionedValue(0, MetaCodec.definition(definition).start(), false);
            });
  }

  @Override
  public String toString() {
    return "the sequences of " + app;
  }
}
