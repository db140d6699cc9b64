package io.tidemark.core;

import io.tidemark.spi.Cancellation;
import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.ReplayBatcher;
import io.tidemark.spi.SeqValues;

/** A storage that takes everything and has nothing. */
class Nowhere implements ISeqStorage {
  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    return new long[seqIds.length];
  }

  @Override
  public long readNextPLogOffset() {
    return 1;
  }

  @Override
  public void writeValuesAndOffset(SeqValues batch, long nextOffset) {}

  @Override
  public void actualizeSequencesFromPLog(
      long from, Cancellation cancellation, ReplayBatcher batcher) {}
}
