package io.tidemark.storage.cassandra;

import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.SeqValues;
import java.util.List;

/** A generation under construction, by one owner's handle. */
final class CassandraGeneration implements ISeqGeneration {
  private final CassandraPartition owner;
  private final long generation;

  CassandraGeneration(CassandraPartition owner, long generation) {
    this.owner = owner;
    this.generation = generation;
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public long nextOffset() {
    return owner.app.numbers().readNextOffset(owner.partition, generation);
  }

  @Override
  public void write(SeqValues batch, long nextOffset) {
    owner
        .app
        .numbers()
        .write(List.of(new NumberTable.Batch(owner.partition, generation, batch, nextOffset)));
  }

  @Override
  public void activate() {
    owner.activate(generation);
  }
}
