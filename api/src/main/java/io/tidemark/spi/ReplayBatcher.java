package io.tidemark.spi;

/** Takes the numbers of one logged event during replay. */
@FunctionalInterface
public interface ReplayBatcher {
  /**
   * Takes one event's numbers.
   *
   * @param values the numbers, in no order, keys may repeat; may be empty. The caller may reuse the
   *     object after the call
   * @param offset the event's offset in the log
   */
  void accept(SeqValues values, long offset);
}
