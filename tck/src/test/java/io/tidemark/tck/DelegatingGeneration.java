package io.tidemark.tck;

import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.SeqValues;

/** Passes everything on; a saboteur overrides what it breaks. */
class DelegatingGeneration implements ISeqGeneration {
  private final ISeqGeneration real;

  DelegatingGeneration(ISeqGeneration real) {
    this.real = real;
  }

  @Override
  public long generation() {
    return real.generation();
  }

  @Override
  public long nextOffset() {
    return real.nextOffset();
  }

  @Override
  public void write(SeqValues batch, long nextOffset) {
    real.write(batch, nextOffset);
  }

  @Override
  public void activate() {
    real.activate();
  }
}
