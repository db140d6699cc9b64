package io.tidemark.spi;

/**
 * The durable numbers of one partition (SeqData): for each workspace and sequence the last number
 * issued, and one next log offset. SeqData holds at least everything the log has before that
 * offset.
 *
 * <p><b>Threads.</b> Safe for use by many threads at once. [S-1]<br>
 * <b>Blocking.</b> Any method may block on I/O, never longer than the configured timeout. [S-2]<br>
 * <b>Failure.</b> Failures are {@link io.tidemark.api.StorageException}s. A failed write may have
 * stored any subset of its values. [S-3]
 */
public interface ISeqStorage {

  /**
   * Reads the last issued numbers of a workspace, one per id in the order asked, 0 where none is
   * stored. [S-4] Sees every write acknowledged before the call, from any process. [S-5]
   */
  long[] readNumbers(long wsid, int[] seqIds);

  /** The stored next log offset; 1 on a fresh partition. [S-6] */
  long readNextPLogOffset();

  /**
   * Writes every value of {@code batch}, then the offset: never the offset without all values.
   * [S-7]
   *
   * <p>A write never lowers what is stored: of two numbers, and of two offsets, the larger stays.
   * [S-8] So a late, repeated or deposed owner's write is harmless and needs no lock.
   *
   * @param batch the values, keys unique; may be empty [S-9]; not kept after the call
   * @param nextOffset the offset before which the stored numbers cover the log
   */
  void writeValuesAndOffset(SeqValues batch, long nextOffset);

  /**
   * Reads the log from {@code from} to its end, in order and complete, and hands the numbers of
   * each event to {@code batcher}.
   *
   * <p>A scan that cannot be complete must not return normally: a hole or an unreadable event is a
   * {@link io.tidemark.api.StorageCorruptedException}, a cancelled scan a {@link
   * java.util.concurrent.CancellationException}, and what the batcher throws reaches the
   * caller.
   */
  void actualizeSequencesFromPLog(long from, Cancellation cancellation, ReplayBatcher batcher);
}
