package io.tidemark.api;

/** Why {@link ISequencer#start} answered 0, or a command was not taken. */
public enum Refusal {
  /** Nothing was refused. */
  NONE("nothing to do"),
  /** The log's tail is being read; it ends by itself. */
  ACTUALIZING("wait for the log's tail to be read"),
  /** Too many values wait to be flushed; it ends when the storage takes writes again. */
  BACKPRESSURE("wait until the storage takes writes again"),
  /** The pipeline's queue of the partition is full. */
  QUEUE_FULL("send less at once, or allow a longer queue"),
  /** The command was still waiting for its turn when its time was up. */
  DEADLINE("send less at once, or give the command more time"),
  /** The workspace's numbers could not be read in time. */
  STORAGE("check that the storage answers reads"),
  /** Another owner has the partition; this sequencer never starts again. */
  FENCED("another owner has the partition; send the request there"),
  /** The partition failed for good; {@link SequencerStatus#lastError()} has the cause. */
  FAILED("an operator must look at the cause in status()"),
  /** The sequencer was closed. */
  CLOSED("open the partition again");

  private final String remedy;

  Refusal(String remedy) {
    this.remedy = remedy;
  }

  /** What helps, in a few words. */
  public String remedy() {
    return remedy;
  }

  /** Whether a later try on the same sequencer can succeed. */
  public boolean temporary() {
    return switch (this) {
      case ACTUALIZING, BACKPRESSURE, QUEUE_FULL, DEADLINE, STORAGE -> true;
      case NONE, FENCED, FAILED, CLOSED -> false;
    };
  }
}
