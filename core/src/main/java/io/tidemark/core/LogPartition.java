package io.tidemark.core;

import io.tidemark.api.BusyException;
import io.tidemark.api.ISequencer;
import io.tidemark.api.Refusal;
import io.tidemark.api.SystemSequences;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import java.time.Duration;

/**
 * A claimed partition for everyday use: {@code try (var tx = partition.begin(kind, wsid)) { long id
 * = tx.next(ORDER); tx.append(event); }}. One transaction at a time; appends to the PLog only.
 */
public final class LogPartition implements AutoCloseable {
  private static final Duration SOON = Duration.ofMillis(20);

  private final Layout layout;
  private final IPartitionStorage storage;
  private final ISequencer sequencer;
  private final SequencerConfig config;
  private final Environment environment;

  LogPartition(
      Layout layout,
      IPartitionStorage storage,
      ISequencer sequencer,
      SequencerConfig config,
      Environment environment) {
    this.layout = layout;
    this.storage = storage;
    this.sequencer = sequencer;
    this.config = config;
    this.environment = environment;
  }

  /**
   * Opens a transaction.
   *
   * @throws BusyException when refused; nothing was drawn
   * @throws IllegalArgumentException for an unknown kind, another kind than the workspace's own, or
   *     a workspace of another partition
   */
  public Transaction begin(int wsKind, long wsid) {
    return begin(wsKind, wsid, Duration.ZERO);
  }

  /** Opens a transaction, waiting up to {@code patience} while refusal is temporary. */
  public Transaction begin(int wsKind, long wsid, Duration patience) {
    if (layout.partitionOf(wsid) != storage.partition()) {
      throw new IllegalArgumentException(
          "workspace %s belongs to partition %d, not %d"
              .formatted(
                  Long.toUnsignedString(wsid), layout.partitionOf(wsid), storage.partition()));
    }
    long offset = sequencer.start(wsKind, wsid, patience);
    if (offset == 0) {
      throw new BusyException(sequencer.refusal(), retryAfter(sequencer.refusal()));
    }
    boolean hasWLog = config.sequences().defines(wsKind, SystemSequences.WLOG_OFFSET);
    return new Transaction(storage, sequencer, environment, offset, wsKind, wsid, hasWLog);
  }

  /** The sequencer, to look at its status or wait for it. */
  public ISequencer sequencer() {
    return sequencer;
  }

  /** The storage handle, to read what was logged. */
  public IPartitionStorage storage() {
    return storage;
  }

  /** Closes the sequencer with a patience of five seconds. */
  @Override
  public void close() {
    sequencer.close();
  }

  private Duration retryAfter(Refusal reason) {
    return switch (reason) {
      case ACTUALIZING, QUEUE_FULL, DEADLINE -> SOON;
      case BACKPRESSURE -> config.maxFlushingInterval();
      case STORAGE -> config.retryCap();
      case NONE, FENCED, FAILED, CLOSED -> Duration.ZERO;
    };
  }
}
