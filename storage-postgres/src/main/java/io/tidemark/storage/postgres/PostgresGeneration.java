package io.tidemark.storage.postgres;

import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.SeqValues;

/** A generation under construction, by one owner's handle. */
final class PostgresGeneration implements ISeqGeneration {
  private final PostgresPartition owner;
  private final long generation;

  PostgresGeneration(PostgresPartition owner, long generation) {
    this.owner = owner;
    this.generation = generation;
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public long nextOffset() {
    return owner.seqData().readNextOffset(owner.key(), generation);
  }

  @Override
  public void write(SeqValues batch, long nextOffset) {
    owner.seqData().write(owner, generation, batch, nextOffset);
  }

  @Override
  public void activate() {
    owner.ownership().activate(generation);
    owner.seqData().deleteOlder(owner.key(), generation);
  }
}
