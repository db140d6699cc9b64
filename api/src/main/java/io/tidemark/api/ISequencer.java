package io.tidemark.api;

import java.time.Duration;

/**
 * Hands out the numbers of one partition, in transactions tied to one write of the partition's log:
 * {@code start -> next* -> (flush | cancel | actualize)}.
 *
 * <p><b>Threads.</b> One transaction at a time. A transaction may move from thread to thread, but
 * two verbs at once are refused with {@link IllegalStateException}. [E-1] {@link #status}, {@link
 * #awaitReady} and {@link #close} may be called from any thread at any time. [E-2]<br>
 * <b>Blocking.</b> Only {@code start} may wait for storage, to load a workspace that is not in
 * memory, and no longer than the configured read timeout. [E-3]<br>
 * <b>Failure.</b> A refused or misused verb changes nothing. [E-4] Unknown kinds and sequences,
 * wrong counts and numbers are {@link IllegalArgumentException}; a verb out of order, or on a
 * closed sequencer, is {@link IllegalStateException}.
 */
public interface ISequencer extends AutoCloseable {

  /**
   * Opens a transaction and answers the log offset its event must be written at, or 0 when refused;
   * {@link #refusal} then says why. The offset is reserved, not used up: {@link #flush} moves on.
   * [E-5]
   *
   * @throws IllegalArgumentException for an unknown kind, or another kind than the workspace's own
   *     [E-6]
   * @throws IllegalStateException when a transaction is open already
   */
  long start(int wsKind, long wsid);

  /** Like {@link #start(int, long)}, waiting up to {@code patience} while refusal is temporary. */
  long start(int wsKind, long wsid, Duration patience);

  /** Why the last {@code start} answered 0. */
  Refusal refusal();

  /**
   * Draws the next number. It does no I/O and takes no lock. [E-7]
   *
   * @throws UnknownSequenceException if the workspace's kind has no such sequence; the transaction
   *     stays usable. {@link SystemSequences#PLOG_OFFSET} is unknown here: {@code start} answered
   *     it
   * @throws SequenceExhaustedException if the range is used up; the transaction stays usable [E-9]
   */
  long next(int seqId);

  /**
   * Draws {@code count} numbers at once and answers the first; the others follow, each an increment
   * further. All or nothing. [E-10]
   */
  long next(int seqId, int count);

  /**
   * Says that an explicit number was used: later draws come after it. Never moves a sequence
   * backwards. [E-11]
   *
   * @throws IllegalArgumentException if the number is outside the sequence's range
   */
  void observe(int seqId, long number);

  /** Visits what the open transaction did, sequence by sequence; the event's header records it. */
  void drawn(DrawVisitor visitor);

  /**
   * Adds the open transaction to a group whose events are appended together; the next {@code start}
   * gets the following offset. [E-12]
   *
   * <p>The status stays IN_TRANSACTION until {@link #flush} or {@link #actualize}, which then need
   * no open transaction. An open one belongs to the group: append its event too, or cancel it
   * first.
   */
  void stage();

  /**
   * Says that the event, or the whole group, is in the log: its numbers are published and the
   * offset moves on. Never waits for storage and never fails because of it. [E-13] After close: no
   * effect.
   */
  void flush();

  /**
   * Gives the open transaction's numbers and offset back, at memory speed. Only for a transaction
   * of which nothing was sent to the log; staged ones stay. [E-14]
   */
  void cancel();

  /**
   * Says that the log write failed or its outcome is unknown: forgets the open transaction and the
   * group, settles, and reads the log's tail again in the background. [E-15]
   *
   * @throws IllegalStateException outside a transaction, or while actualizing
   */
  void actualize();

  /** A consistent look at the state. */
  SequencerStatus status();

  /**
   * Waits until transactions are taken; false when {@code patience} ends first or never will be.
   */
  boolean awaitReady(Duration patience);

  /**
   * Stops taking work and flushes what is pending within {@code patience}; answers whether all was
   * flushed. Returns in time also while storage is down. [E-17]
   */
  boolean close(Duration patience);

  /** Closes with a patience of five seconds. */
  @Override
  default void close() {
    close(Duration.ofSeconds(5));
  }
}
