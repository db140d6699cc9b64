package io.tidemark.core;

import io.tidemark.api.FencedException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.spi.ISeqStorage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads a workspace's numbers on the caller's thread, trying again until a deadline. */
final class MissReader {
  private final Environment environment;
  private final ISeqStorage storage;
  private final Machine machine;
  private final long timeoutNanos;

  MissReader(Environment environment, ISeqStorage storage, Machine machine, Duration timeout) {
    this.environment = environment;
    this.storage = storage;
    this.machine = machine;
    this.timeoutNanos = Nanos.of(timeout);
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
      long ticket = machine.changed.ticket();
      try {
        return checked(kind, wsid, storage.readNumbers(wsid, kind.storedIds));
      } catch (FencedException | StorageCorruptedException e) {
        throw e;
      } catch (RuntimeException e) {
        Duration pause = machine.backoff.pause(attempt);
        machine.announcer.retrying("read numbers", pause, e);
        long left = deadline - environment.nanoTime();
        if (left <= 0 || machine.isFinal() || Machine.interrupted()) {
          return null;
        }
        machine.changed.await(ticket, Math.min(left, pause.toNanos()));
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
