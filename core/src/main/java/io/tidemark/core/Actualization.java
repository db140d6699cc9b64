package io.tidemark.core;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.SequencerState;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.core.Environment.Lane;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.ReplayBatcher;
import io.tidemark.spi.SeqValues;
import java.time.Duration;

/**
 * Brings a sequencer in line with the log: settles what is unknown, reads the log from the stored
 * offset to its end, and hands every number to the backlog. Tries again until it succeeds, is
 * cancelled, or finds something that trying again cannot mend.
 */
final class Actualization implements Runnable, Cancellation, ReplayBatcher {
  private static final int PROGRESS_EVENTS = 10_000;

  private final Machine machine;
  private final Environment environment;
  private final ISeqStorage storage;
  private final Backoff backoff;
  private final ReplayBuffer buffer;
  private boolean settled;
  private int attempt;
  private long expected;
  private long eventsRead;
  private volatile boolean cancelled;

  Actualization(
      Machine machine,
      Environment environment,
      ISeqStorage storage,
      Backoff backoff,
      boolean settled) {
    this.machine = machine;
    this.environment = environment;
    this.storage = storage;
    this.backoff = backoff;
    this.buffer = machine.newReplayBuffer();
    this.settled = settled;
  }

  void cancel() {
    cancelled = true;
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public void run() {
    if (cancelled) {
      return;
    }
    try {
      actualize();
    } catch (FencedException e) {
      machine.stop(SequencerState.FENCED, e);
    } catch (StorageCorruptedException | SequenceViolationException e) {
      machine.stop(SequencerState.FAILED, e);
    } catch (
        Throwable e) { // also an Error of the storage's: else the partition would wait for ever
      Duration pause = backoff.pause(attempt++);
      if (!cancelled && machine.actualizationFailed(e, pause)) {
        environment.schedule(pause, Lane.REPLAY, this);
      }
    }
  }

  private void actualize() {
    if (storage instanceof IPartitionStorage partition) {
      if (!settled) {
        partition.settle();
        settled = true;
      }
      PartitionFailure failure = partition.failure();
      if (failure != null) {
        throw new SequenceViolationException(
            failure.key(), failure.cause() + "; an operator must resolve it");
      }
    }
    expected = storedOffset();
    eventsRead = 0;
    buffer.clear();
    machine.replayBegins(expected);
    storage.actualizeSequencesFromPLog(expected, this, this);
    handOver();
    check();
    machine.actualized(expected, eventsRead);
  }

  private long storedOffset() {
    long stored = storage.readNextPLogOffset();
    boolean possible = stored >= 1;
    if (possible && stored > 1 && storage instanceof IPartitionStorage partition) {
      possible = stored - 1 <= partition.logEnd();
    }
    if (!possible) {
      throw new StorageCorruptedException(
          "the stored next offset "
              + stored
              + " lies past the log's end; run 'tidemark rebuild' for this partition");
    }
    return stored;
  }

  @Override
  public void accept(SeqValues values, long offset) {
    if (offset != expected) {
      throw new StorageCorruptedException(
          "the log has a hole: expected PLog offset " + expected + ", found " + offset);
    }
    buffer.add(values, offset);
    if (buffer.isFull()) {
      handOver();
    }
    expected++;
    if (++eventsRead % PROGRESS_EVENTS == 0) {
      machine.replayProgress(offset, eventsRead);
    }
  }

  private void handOver() {
    if (!buffer.isEmpty()) {
      machine.replayed(this, buffer);
      buffer.clear();
    }
  }
}
