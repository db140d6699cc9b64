package io.tidemark.storage.sqlite.guide;

import io.tidemark.spi.SeqValues;

/** Somebody's own log. */
public interface AcmeLog {
  /** The last offset; 0 when it is empty. */
  long end();

  /** The numbers that the event at {@code offset} used. */
  SeqValues numbersAt(long offset);
}
