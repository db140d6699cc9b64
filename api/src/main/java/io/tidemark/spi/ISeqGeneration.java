package io.tidemark.spi;

/** A SeqData generation under construction: nobody reads it until it is activated. */
public interface ISeqGeneration {

  /** Its number. */
  long generation();

  /** The offset from which building goes on; 1 when nothing was built yet. [S-11] */
  long nextOffset();

  /** Writes values, then the offset, as {@link ISeqStorage#writeValuesAndOffset}. */
  void write(SeqValues batch, long nextOffset);

  /**
   * Makes it the generation in use, conditional on the epoch, then deletes the older ones. [S-12]
   */
  void activate();
}
