package io.tidemark.tck;

import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.SeqValues;

/** The numbers beside somebody's own log, as their author shows them to the kit. */
public interface SequencesHarness {

  /** A storage that holds nothing, over a log that is empty. */
  ISeqStorage openFresh();

  /** The storage that was last opened fresh, opened again as after a restart. */
  ISeqStorage reopen();

  /**
   * Appends an event to the log of the storage that was last opened fresh. Offsets come as 1, 2, 3
   * and so on.
   *
   * @param numbers the numbers the event used, which replay must hand over again
   */
  void appendToLog(long offset, SeqValues numbers);

  /**
   * How many examples each property is tried with: the system property {@code tidemark.tck.tries},
   * or 20.
   */
  default int tries() {
    return Integer.getInteger("tidemark.tck.tries", 20);
  }
}
