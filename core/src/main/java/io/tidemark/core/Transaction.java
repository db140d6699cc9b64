package io.tidemark.core;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequencerState;
import io.tidemark.api.SystemSequences;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import java.util.ArrayList;
import java.util.List;

/**
 * One open transaction that owns its append: flushes after success, actualizes after failure or an
 * unknown outcome, and gives its numbers back when closed without an append.
 */
public final class Transaction implements AutoCloseable {
  private final IPartitionStorage storage;
  private final ISequencer sequencer;
  private final Environment environment;
  private final long plogOffset;
  private final int wsKind;
  private final long wsid;
  private final long wlogOffset;
  private Phase phase = Phase.OPEN;

  private enum Phase {
    OPEN,
    ATTEMPTED,
    ENDED
  }

  Transaction(
      IPartitionStorage storage,
      ISequencer sequencer,
      Environment environment,
      long plogOffset,
      int wsKind,
      long wsid,
      boolean hasWLog) {
    this.storage = storage;
    this.sequencer = sequencer;
    this.environment = environment;
    this.plogOffset = plogOffset;
    this.wsKind = wsKind;
    this.wsid = wsid;
    this.wlogOffset = hasWLog ? drawWLogOffset() : 0;
  }

  private long drawWLogOffset() {
    try {
      return sequencer.next(SystemSequences.WLOG_OFFSET);
    } catch (RuntimeException e) {
      giveBack();
      throw e;
    }
  }

  /** The offset the event will have in the partition's log. */
  public long plogOffset() {
    return plogOffset;
  }

  /** The event's offset in the workspace's log; 0 if the kind has no such sequence. */
  public long wlogOffset() {
    return wlogOffset;
  }

  /** Draws a number. */
  public long next(int seqId) {
    return sequencer.next(seqId);
  }

  /** Draws {@code count} consecutive numbers and answers the first. */
  public long next(int seqId, int count) {
    return sequencer.next(seqId, count);
  }

  /** Says that an explicit number was used. */
  public void observe(int seqId, long number) {
    sequencer.observe(seqId, number);
  }

  /**
   * Logs the event and ends the transaction.
   *
   * @throws io.tidemark.api.StorageException if the event is not known to be in the log; the
   *     partition then finds out by itself before it takes another transaction
   */
  public void append(byte[] payload) {
    requireOpen("append");
    PLogEvent event = new PLogEvent(plogOffset, header(), payload);
    phase = Phase.ATTEMPTED;
    try {
      storage.append(List.of(event), WriteMode.INSERT_IF_NOT_EXISTS);
    } catch (RuntimeException | Error e) {
      phase = Phase.ENDED;
      try {
        sequencer.actualize();
      } catch (
          IllegalStateException ended) { // closed or fenced meanwhile: the storage's word counts
        e.addSuppressed(ended);
      }
      throw e;
    }
    phase = Phase.ENDED;
    sequencer.flush();
  }

  /** Gives the numbers and the offset back; only before an append. */
  public void cancel() {
    requireOpen("cancel");
    phase = Phase.ENDED;
    giveBack();
  }

  /** Cancels, unless an append was attempted. */
  @Override
  public void close() {
    if (phase == Phase.OPEN) {
      cancel();
    }
  }

  private void giveBack() {
    try {
      sequencer.cancel();
    } catch (IllegalStateException e) {
      if (sequencer.status().state() == SequencerState.IN_TRANSACTION) {
        throw e;
      } // else closed or fenced meanwhile: there is nothing to give back to
    }
  }

  private EventHeader header() {
    List<SequenceTouch> touches = new ArrayList<>();
    sequencer.drawn(
        (seqId, count, last, observed) ->
            touches.add(new SequenceTouch(seqId, count, last, observed)));
    return new EventHeader(
        environment.randomId(), plogOffset, wsid, wsKind, wlogOffset, false, touches);
  }

  private void requireOpen(String verb) {
    if (phase != Phase.OPEN) {
      throw new IllegalStateException("cannot " + verb + " a transaction that is " + phase);
    }
  }
}
