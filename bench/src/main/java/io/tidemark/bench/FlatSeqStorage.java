package io.tidemark.bench;

import io.tidemark.spi.Cancellation;
import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.ReplayBatcher;
import io.tidemark.spi.SeqValues;

/**
 * Numbers in flat arrays and a log that is made up as it is read: the cheapest storage there can
 * be, so that only the engine is measured.
 */
final class FlatSeqStorage implements ISeqStorage {
  static final int KIND = 1;
  static final int FIRST = 256;

  private final int workspaces;
  private final int stride; // the sequences, then the workspace's kind
  private final long events;
  private final long[] numbers;
  private long nextOffset = 1;
  private long writes;

  /** Numbers of {@code sequences} sequences a workspace, and a log of {@code events} events. */
  FlatSeqStorage(int workspaces, int sequences, long events) {
    this.workspaces = workspaces;
    this.stride = sequences + 1;
    this.events = events;
    this.numbers = new long[workspaces * stride];
  }

  private int index(long wsid, int seqId) {
    return (int) wsid * stride + (seqId < FIRST ? stride - 1 : seqId - FIRST);
  }

  /** How many times numbers were written. */
  synchronized long writes() {
    return writes;
  }

  @Override
  public synchronized long[] readNumbers(long wsid, int[] seqIds) {
    long[] answer = new long[seqIds.length];
    for (int i = 0; i < seqIds.length; i++) {
      answer[i] = numbers[index(wsid, seqIds[i])];
    }
    return answer;
  }

  @Override
  public synchronized long readNextPLogOffset() {
    return nextOffset;
  }

  @Override
  public synchronized void writeValuesAndOffset(SeqValues batch, long offset) {
    for (int i = 0; i < batch.size(); i++) {
      int at = index(batch.wsid(i), batch.seqId(i));
      numbers[at] = Math.max(numbers[at], batch.number(i));
    }
    nextOffset = Math.max(nextOffset, offset);
    writes++;
  }

  @Override
  public void actualizeSequencesFromPLog(
      long from, Cancellation cancellation, ReplayBatcher batcher) {
    Xorshift random = new Xorshift();
    SeqValues values = new SeqValues();
    for (long offset = from; offset <= events; offset++) {
      cancellation.check();
      long wsid = random.below(workspaces);
      values.clear();
      values.add(wsid, 5, KIND);
      for (int i = 0; i < stride - 1; i++) {
        values.add(wsid, FIRST + i, offset);
      }
      batcher.accept(values, offset);
    }
    cancellation.check();
  }
}
