package io.tidemark.core;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SequencerListener;
import java.time.Duration;

/**
 * How a sequencer behaves. Valid by construction.
 *
 * @param sequences which sequences each workspace kind has
 * @param maxUnflushedValues the most numbers that wait before {@code start} is refused; default
 *     500. A flush goes out when half of them wait
 * @param maxFlushingInterval the longest a number waits before it is flushed; default 500 ms
 * @param batcherDelay the longest a held-back replay waits before it looks again; default 5 ms
 * @param retryCap the longest pause between two tries of background work; default 500 ms
 * @param readTimeout the longest {@code start} tries to load a workspace; default 5 s
 * @param listener hears what happens in the background; default nobody
 */
public record SequencerConfig(
    SequenceTypes sequences,
    int maxUnflushedValues,
    Duration maxFlushingInterval,
    Duration batcherDelay,
    Duration retryCap,
    Duration readTimeout,
    SequencerListener listener) {

  /** Refuses what cannot work, naming the field. */
  public SequencerConfig {
    requireNonNull(sequences, "sequences");
    requireNonNull(listener, "listener");
    if (maxUnflushedValues < 1) {
      throw new IllegalArgumentException(
          "maxUnflushedValues must be >= 1, was " + maxUnflushedValues);
    }
    requirePositive("maxFlushingInterval", maxFlushingInterval);
    requirePositive("batcherDelay", batcherDelay);
    requirePositive("retryCap", retryCap);
    requirePositive("readTimeout", readTimeout);
  }

  /** The defaults, for these sequences. */
  public static SequencerConfig of(SequenceTypes sequences) {
    return builder(sequences).build();
  }

  /** Begins with the defaults. */
  public static Builder builder(SequenceTypes sequences) {
    return new Builder(sequences);
  }

  private static void requirePositive(String name, Duration value) {
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException(name + " must be positive, was " + value);
    }
  }

  /** Holds the defaults; checks nothing. */
  public static final class Builder {
    private final SequenceTypes sequences;
    private int maxUnflushedValues = 500;
    private Duration maxFlushingInterval = Duration.ofMillis(500);
    private Duration batcherDelay = Duration.ofMillis(5);
    private Duration retryCap = Duration.ofMillis(500);
    private Duration readTimeout = Duration.ofSeconds(5);
    private SequencerListener listener = SequencerListener.NONE;

    Builder(SequenceTypes sequences) {
      this.sequences = sequences;
    }

    /** The most numbers that wait. */
    public Builder maxUnflushedValues(int value) {
      maxUnflushedValues = value;
      return this;
    }

    /** The longest a number waits. */
    public Builder maxFlushingInterval(Duration value) {
      maxFlushingInterval = value;
      return this;
    }

    /** The longest a held-back replay waits before it looks again. */
    public Builder batcherDelay(Duration value) {
      batcherDelay = value;
      return this;
    }

    /** The longest pause between two tries. */
    public Builder retryCap(Duration value) {
      retryCap = value;
      return this;
    }

    /** The longest {@code start} tries to load a workspace. */
    public Builder readTimeout(Duration value) {
      readTimeout = value;
      return this;
    }

    /** Who hears what happens in the background. */
    public Builder listener(SequencerListener value) {
      listener = value;
      return this;
    }

    /** The configuration, checked. */
    public SequencerConfig build() {
      return new SequencerConfig(
          sequences,
          maxUnflushedValues,
          maxFlushingInterval,
          batcherDelay,
          retryCap,
          readTimeout,
          listener);
    }
  }
}
