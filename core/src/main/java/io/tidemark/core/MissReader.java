package io.tidemark.core;

import io.tidemark.api.FencedException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.core.Environment.Signal;
import io.tidemark.spi.ISeqStorage;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reads a workspace's numbers on the caller's thread, trying again until a deadline. */
final class MissReader {
  private final Environment environment;
  private final ISeqStorage storage;
  private final Backoff backoff;
  private final long timeoutNanos;
  private final Signal wake;
  private final BooleanSupplier stopped;
  private final RetryListener retries;

  /** Hears of every failed try. */
  @FunctionalInterface
  interface RetryListener {
    void retrying(Throwable cause, Duration pause);
  }

  MissReader(
      Environment environment,
      ISeqStorage storage,
      Backoff backoff,
      Duration timeout,
      Signal wake,
      BooleanSupplier stopped,
      RetryListener retries) {
    this.environment = environment;
    this.storage = storage;
    this.backoff = backoff;
    this.timeoutNanos = timeout.toNanos();
    this.wake = wake;
    this.stopped = stopped;
    this.retries = retries;
  }

  /**
   * The stored numbers, then the stored kind; null when they could not be read in time.
   *
   * @throws FencedException if the storage says so
   * @throws StorageCorruptedException if what was read cannot be
   */
  long @Nullable [] read(Kind kind, long wsid) {
    long deadline = environment.nanoTime() + timeoutNanos;
    for (int attempt = 0; ; attempt++) {
      long ticket = wake.ticket();
      try {
        return checked(kind, wsid, storage.readNumbers(wsid, kind.storedIds));
      } catch (FencedException | StorageCorruptedException e) {
        throw e;
      } catch (RuntimeException e) {
        Duration pause = backoff.pause(attempt);
        retries.retrying(e, pause);
        long left = deadline - environment.nanoTime();
        if (left <= 0 || stopped.getAsBoolean() || Thread.currentThread().isInterrupted()) {
          return null;
        }
        wake.await(ticket, Math.min(left, pause.toNanos()));
      }
    }
  }

  private static long[] checked(Kind kind, long wsid, long[] numbers) {
    if (numbers.length != kind.size + 1) {
      throw new StorageCorruptedException(
          "the storage answered " + numbers.length + " numbers for " + (kind.size + 1) + " ids");
    }
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] < 0) {
        throw new StorageCorruptedException(
            "sequence "
                + kind.storedIds[i]
                + " of workspace "
                + Long.toUnsignedString(wsid)
                + " is stored as "
                + numbers[i]
                + "; run 'tidemark rebuild' for this partition");
      }
    }
    return numbers;
  }
}
