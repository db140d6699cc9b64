package io.tidemark.storage.memory;

import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.SeqValues;

/** A generation under construction, by one owner's handle. */
final class MemoryGeneration implements ISeqGeneration {
  private final MemoryPartition owner;
  private final long generation;

  MemoryGeneration(MemoryPartition owner, long generation) {
    this.owner = owner;
    this.generation = generation;
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public long nextOffset() {
    return owner.read(
        StorageCall.READ_SEQ_DATA, () -> owner.state.seqData(generation).nextOffset());
  }

  @Override
  public void write(SeqValues batch, long nextOffset) {
    Runnable request = owner.seqDataRequest(generation, batch, nextOffset);
    owner.app.write(StorageCall.WRITE_SEQ_DATA, owner.state, request);
  }

  @Override
  public void activate() {
    owner.write(StorageCall.ACTIVATE, sent -> owner.state.activate(sent, generation));
  }
}
