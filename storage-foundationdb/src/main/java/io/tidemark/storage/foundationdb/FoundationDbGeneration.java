package io.tidemark.storage.foundationdb;

import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.SeqValues;

/** A generation under construction, by one owner's handle. */
final class FoundationDbGeneration implements ISeqGeneration {
  private final FoundationDbPartition owner;
  private final long generation;

  FoundationDbGeneration(FoundationDbPartition owner, long generation) {
    this.owner = owner;
    this.generation = generation;
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public long nextOffset() {
    return SeqDataReads.nextOffset(owner, generation);
  }

  @Override
  public void write(SeqValues batch, long nextOffset) {
    owner.writeSeqData(generation, batch, nextOffset);
  }

  @Override
  public void activate() {
    owner.activate(generation);
  }
}
