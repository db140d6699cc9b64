package io.tidemark.tck.vectors;

import static java.util.Objects.requireNonNull;

import io.tidemark.spi.ISequenceStorage;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of any storage, held open between steps: a thread stays inside {@link
 * ISequenceStorage#transact} and does what it is told, until it is told to return or to throw. It
 * begins with its first use.
 */
final class OpenTransaction<T> {
  private static final long PATIENCE_SECONDS = 60;

  private final ISequenceStorage<T> storage;
  private final BlockingQueue<Command<T>> commands = new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final CompletableFuture<T> handle = new CompletableFuture<>();
  private boolean begun;
  private boolean finished;

  OpenTransaction(ISequenceStorage<T> storage) {
    this.storage = storage;
  }

  private record Command<T>(Function<T, Answer> work, CompletableFuture<Answer> answer) {}

  /** Ends the work of a transaction that is rolled back. */
  private static final class RolledBack extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RolledBack() {
      super("rolled back", null, false, false);
    }
  }

  /** Does {@code work} in the transaction, also in one that is finished. */
  Answer call(Function<T, Answer> work) {
    if (finished) {
      if (!begun) {
        begin();
        end(false);
      }
      return work.apply(await(handle));
    }
    begin();
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    commands.add(new Command<>(work, answer));
    // A transaction that ended by itself answers nobody.
    CompletableFuture<Answer> over =
        ended.thenApply(
            unused -> {
              throw new IllegalStateException("the transaction has ended");
            });
    return await(answer.applyToEither(over, Function.identity()));
  }

  void commit() {
    finish(true);
  }

  void rollback() {
    finish(false);
  }

  private void finish(boolean commit) {
    if (finished) {
      throw new IllegalStateException("the transaction is finished");
    }
    finished = true;
    if (begun) {
      end(commit);
    }
  }

  /** Rolls back what is still open, and never complains. */
  void abandon() {
    if (!finished && !ended.isDone()) {
      rollback();
    }
  }

  private void end(boolean commit) {
    commands.add(
        new Command<>(
            transaction -> {
              throw commit ? new Committed() : new RolledBack();
            },
            new CompletableFuture<>()));
    await(ended);
  }

  private static final class Committed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Committed() {
      super("committed", null, false, false);
    }
  }

  private void begin() {
    if (begun) {
      return;
    }
    begun = true;
    Thread thread = new Thread(this::run, "vector-transaction");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      storage.transact(this::obey);
      ended.complete(null);
    } catch (RolledBack asTold) {
      ended.complete(null);
    } catch (RuntimeException | Error e) {
      handle.completeExceptionally(e);
      ended.completeExceptionally(e);
    }
  }

  private void obey(T transaction) {
    if (!handle.complete(transaction)) {
      throw new IllegalStateException("the storage ran a transaction's work twice");
    }
    while (true) {
      Command<T> command;
      try {
        command = commands.take();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new RolledBack();
      }
      try {
        command.answer().complete(command.work().apply(transaction));
      } catch (Committed asTold) {
        return;
      } catch (RolledBack asTold) {
        throw asTold;
      } catch (RuntimeException e) {
        command.answer().completeExceptionally(e);
      }
    }
  }

  private static <R extends @Nullable Object> R await(CompletableFuture<R> future) {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = requireNonNull(e.getCause());
      if (cause instanceof RuntimeException refusal) {
        throw refusal;
      }
      throw new CompletionException(cause);
    } catch (TimeoutException e) {
      throw new NoAnswerException(PATIENCE_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoAnswerException(0);
    }
  }

  /** The storage holds a transaction up. */
  static final class NoAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoAnswerException(long seconds) {
      super("the storage gave no answer within " + seconds + " s");
    }
  }
}
