package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.storage.foundationdb.FoundationDbErrorClassifier.Conclusion;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs transactions, with the options of the config, and says what became of them.
 *
 * <p>{@code Database.run} is not used: it repeats a commit whose outcome is unknown, which is safe
 * only for a write that finds itself. The client's own {@code onError} paces the retries, so that
 * timeout and retry limit span all attempts of one call.
 */
final class Transactions {
  private enum Kind {
    READ,
    /** Not repeated once it may have been written. */
    WRITE,
    /** Carries an id of its own: a repetition that finds itself does nothing. */
    WRITE_WITH_ID
  }

  private final Database database;
  private final FoundationDbStorageConfig config;

  Transactions(Database database, FoundationDbStorageConfig config) {
    this.database = database;
    this.config = config;
  }

  Database database() {
    return database;
  }

  <T extends @Nullable Object> T read(String what, Function<ReadTransaction, T> body) {
    return run(what, Kind.READ, body::apply);
  }

  void write(String what, Consumer<Transaction> body) {
    run(what, Kind.WRITE, applying(body));
  }

  <T extends @Nullable Object> T writeAndAnswer(String what, Function<Transaction, T> body) {
    return run(what, Kind.WRITE, body);
  }

  /** For a write that looks for its own id first. */
  <T extends @Nullable Object> T writeWithId(String what, Function<Transaction, T> body) {
    return run(what, Kind.WRITE_WITH_ID, body);
  }

  private static Function<Transaction, Boolean> applying(Consumer<Transaction> body) {
    return transaction -> {
      body.accept(transaction);
      return true;
    };
  }

  /** Runs {@code body} exactly once. */
  void once(String what, Consumer<Transaction> body) {
    try (Transaction transaction = begin()) {
      attempt(what, transaction, body);
    }
  }

  private static void attempt(String what, Transaction transaction, Consumer<Transaction> body) {
    boolean committing = false;
    try {
      body.accept(transaction);
      committing = true;
      transaction.commit().join();
    } catch (CompletionException | FDBException e) {
      FDBException failure = require(e);
      throw concluded(what, failure, conclude(failure, committing), false);
    }
  }

  private Transaction begin() {
    Transaction transaction = database.createTransaction();
    transaction.options().setTimeout(config.timeout().toMillis());
    transaction.options().setRetryLimit(config.retryLimit());
    tag(transaction);
    return transaction;
  }

  private void tag(Transaction transaction) {
    for (String tag : config.tags()) {
      transaction.options().setTag(tag);
    }
  }

  private <T extends @Nullable Object> T run(
      String what, Kind kind, Function<Transaction, T> body) {
    Transaction transaction = begin();
    try {
      boolean maybeWritten = false;
      while (true) {
        boolean committing = false;
        FDBException failure;
        try {
          T answer = body.apply(transaction);
          if (kind != Kind.READ) {
            committing = true;
            transaction.commit().join();
          }
          return answer;
        } catch (CompletionException | FDBException e) {
          failure = require(e);
        }
        Conclusion conclusion = conclude(failure, committing);
        boolean repeats =
            conclusion == Conclusion.AGAIN
                || (conclusion == Conclusion.MAYBE_WRITTEN && kind == Kind.WRITE_WITH_ID);
        if (!repeats) {
          throw concluded(what, failure, conclusion, maybeWritten);
        }
        maybeWritten |= conclusion == Conclusion.MAYBE_WRITTEN;
        transaction = next(what, transaction, failure, maybeWritten);
      }
    } finally {
      transaction.close();
    }
  }

  /** Waits as long as the client finds right; fails when the limit or the time is over. */
  private Transaction next(
      String what, Transaction failed, FDBException failure, boolean maybeWritten) {
    try {
      Transaction next = failed.onError(failure).join();
      tag(next);
      return next;
    } catch (CompletionException | FDBException e) {
      throw concluded(what, require(e), Conclusion.UNAVAILABLE, maybeWritten);
    }
  }

  private static Conclusion conclude(FDBException failure, boolean committing) {
    return FoundationDbErrorClassifier.conclude(failure.getCode(), committing);
  }

  private static FDBException require(RuntimeException thrown) {
    FDBException found = FoundationDbErrorClassifier.find(thrown);
    if (found == null) {
      throw thrown;
    }
    return found;
  }

  private static RuntimeException concluded(
      String what, FDBException failure, Conclusion conclusion, boolean maybeWritten) {
    String said = ": FoundationDB error " + failure.getCode() + ", " + failure.getMessage();
    if (maybeWritten
        || conclusion == Conclusion.MAYBE_WRITTEN
        || conclusion == Conclusion.MAYBE_LATER) {
      return new OutcomeUnknownException(
          what + " may have been written, settle to know" + said, failure);
    }
    if (conclusion == Conclusion.REFUSED) {
      return new IllegalStateException(what + " was refused, nothing was written" + said, failure);
    }
    return new StorageUnavailableException(what + " was not done" + said, failure);
  }
}
