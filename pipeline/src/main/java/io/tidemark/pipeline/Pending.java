package io.tidemark.pipeline;

import io.tidemark.core.Environment;
import io.tidemark.core.Environment.Signal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A command that waits for its turn or its answer. */
final class Pending extends CompletableFuture<CommandReply> {
  /** Nobody counts on it: whoever answers raises the signal. */
  private static final long LOOK_AGAIN_NANOS = 1_000_000_000;

  final Command command;
  final long deadline;

  /** Whether it may wait at all for a partition that is not ready. */
  final boolean patient;

  /** The next command of the same workspace; guarded by the queue's user. */
  @Nullable Pending next;

  /** Set before its cancellation is looked at: who cancels later learns that it is too late. */
  volatile boolean taken;

  private volatile @Nullable Signal answered;

  Pending(Command command, long now, Duration patience) {
    this.command = command;
    this.patient = !patience.isZero();
    this.deadline = now + Times.nanos(patience);
  }

  /** Whether its time is up; one without patience has all the time it takes to reach its turn. */
  boolean isExpired(long now) {
    return patient && deadline - now <= 0;
  }

  void answer(CommandReply reply) {
    complete(reply);
    raise();
  }

  void refuse(Throwable cause) {
    completeExceptionally(cause);
    raise();
  }

  private void raise() {
    Signal signal = answered;
    if (signal != null) {
      signal.raise();
    }
  }

  /** Waits for the answer; false when interrupted first. */
  boolean await(Environment environment) {
    if (isDone()) {
      return true;
    }
    Signal signal = environment.newSignal();
    answered = signal;
    while (true) {
      long ticket = signal.ticket();
      if (isDone()) {
        return true;
      }
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
      signal.await(ticket, LOOK_AGAIN_NANOS);
    }
  }
}
