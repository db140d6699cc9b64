package io.tidemark.bench;

import io.tidemark.spi.Cancellation;
import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.ReplayBatcher;
import io.tidemark.spi.SeqValues;

/**
 * Numbers in flat arrays: the cheapest storage there can be, so that only the engine is measured.
 */
final class FlatSeqStorage implements ISeqStorage {
  private static final int FIRST = 256;
  private static final int SEQUENCES = 4;

  private final long[] numbers;
  private long nextOffset = 1;

  FlatSeqStorage(int workspaces) {
    numbers = new long[workspaces * SEQUENCES];
  }

  private static int index(long wsid, int seqId) {
    return (int) wsid * SEQUENCES + (seqId < FIRST ? SEQUENCES - 1 : seqId - FIRST);
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
  }

  @Override
  public void actualizeSequencesFromPLog(
      long from, Cancellation cancellation, ReplayBatcher batcher) {
    cancellation.check();
  }
}
