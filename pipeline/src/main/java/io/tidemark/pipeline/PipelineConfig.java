package io.tidemark.pipeline;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.BusyException;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SystemSequences;
import io.tidemark.api.TrustLevel;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.Environment;
import io.tidemark.core.SequencerConfig;
import io.tidemark.spi.SequenceExtractor;
import java.time.Duration;
import java.util.List;

/**
 * How an application's partitions behave. Valid by construction.
 *
 * @param sequencer the sequences of each workspace kind, and how numbers are flushed
 * @param trustLevel whether writes check that their keys are free; default 0: they all do
 * @param owner a diagnostic text stored with each claim; default {@code pipeline}
 * @param cache how many numbers the process keeps in memory; default 100,000
 * @param queueLimit the most commands that wait for a partition; default 1,000
 * @param groupLimit the most commands that share one log write, within what the storage allows;
 *     default 1,000
 * @param patience how long a command waits for its turn unless it says otherwise; default 5 s
 * @param registryEntries the most record types kept in memory; default 10,000
 * @param pollInterval how often a subscription looks for events that other processes logged;
 *     default 100 ms
 * @param projectors they follow the log in step, in this order; default none
 * @param extractor where recovery finds an event's numbers; default its header
 * @param environment time, threads and randomness; default the system's
 */
public record PipelineConfig(
    SequencerConfig sequencer,
    TrustLevel trustLevel,
    String owner,
    CacheBudget cache,
    int queueLimit,
    int groupLimit,
    Duration patience,
    long registryEntries,
    Duration pollInterval,
    List<Projector> projectors,
    SequenceExtractor extractor,
    Environment environment) {
  private static final Duration SOON = Duration.ofMillis(20);

  /** Copies, and refuses what cannot work, naming the field. */
  public PipelineConfig {
    requireNonNull(trustLevel, "trustLevel");
    requireNonNull(owner, "owner");
    requireNonNull(cache, "cache");
    requireNonNull(extractor, "extractor");
    requireNonNull(environment, "environment");
    projectors = List.copyOf(projectors);
    requireAtLeastOne("queueLimit", queueLimit);
    requireAtLeastOne("groupLimit", groupLimit);
    requireAtLeastOne("registryEntries", registryEntries);
    if (patience.isNegative()) {
      throw new IllegalArgumentException("patience must not be negative, was " + patience);
    }
    if (pollInterval.isNegative() || pollInterval.isZero()) {
      throw new IllegalArgumentException("pollInterval must be positive, was " + pollInterval);
    }
    SequenceTypes sequences = sequencer.sequences();
    for (int wsKind : sequences.kinds().keySet()) {
      if (!sequences.defines(wsKind, SystemSequences.WLOG_OFFSET)) {
        throw new IllegalArgumentException(
            "sequences must give kind "
                + wsKind
                + " the platform's own: SequenceTypes.builder().platform("
                + wsKind
                + ")");
      }
    }
  }

  /** The answer to a command that is not taken, with a hint when to try again. */
  BusyException busy(Refusal reason) {
    return new BusyException(
        reason,
        switch (reason) {
          case ACTUALIZING, QUEUE_FULL, DEADLINE -> SOON;
          case BACKPRESSURE -> sequencer.maxFlushingInterval();
          case STORAGE -> sequencer.retryCap();
          case NONE, FENCED, FAILED, CLOSED -> Duration.ZERO;
        });
  }

  private static void requireAtLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be >= 1, was " + value);
    }
  }

  /** The defaults, for these sequences. */
  public static PipelineConfig of(SequenceTypes sequences) {
    return builder(sequences).build();
  }

  /** Begins with the defaults. */
  public static Builder builder(SequenceTypes sequences) {
    return builder(SequencerConfig.of(sequences));
  }

  /** Begins with the defaults around this sequencer's configuration. */
  public static Builder builder(SequencerConfig sequencer) {
    return new Builder(sequencer);
  }

  /** Holds the defaults; checks nothing. */
  public static final class Builder {
    private final SequencerConfig sequencer;
    private TrustLevel trustLevel = TrustLevel.LEVEL_0;
    private String owner = "pipeline";
    private CacheBudget cache = CacheBudget.of(CacheBudget.DEFAULT_NUMBERS);
    private int queueLimit = 1_000;
    private int groupLimit = 1_000;
    private Duration patience = Duration.ofSeconds(5);
    private long registryEntries = 10_000;
    private Duration pollInterval = Duration.ofMillis(100);
    private List<Projector> projectors = List.of();
    private SequenceExtractor extractor = SequenceExtractor.HEADER;
    private Environment environment = Environment.system();

    Builder(SequencerConfig sequencer) {
      this.sequencer = sequencer;
    }

    /** Whether writes check that their keys are free. */
    public Builder trustLevel(TrustLevel value) {
      trustLevel = value;
      return this;
    }

    /** The diagnostic text of claims, such as host and process. */
    public Builder owner(String value) {
      owner = value;
      return this;
    }

    /** The numbers kept in memory, shared with whoever else has this budget. */
    public Builder cache(CacheBudget value) {
      cache = value;
      return this;
    }

    /** The most commands that wait for a partition. */
    public Builder queueLimit(int value) {
      queueLimit = value;
      return this;
    }

    /** The most commands that share one log write. */
    public Builder groupLimit(int value) {
      groupLimit = value;
      return this;
    }

    /** How long a command waits for its turn; zero = it is refused rather than made to wait. */
    public Builder patience(Duration value) {
      patience = value;
      return this;
    }

    /** The most record types kept in memory. */
    public Builder registryEntries(long value) {
      registryEntries = value;
      return this;
    }

    /** How often a subscription looks for events of other processes. */
    public Builder pollInterval(Duration value) {
      pollInterval = value;
      return this;
    }

    /** Who follows the log in step, in this order. */
    public Builder projectors(Projector... value) {
      projectors = List.of(value);
      return this;
    }

    /** Where recovery finds an event's numbers. */
    public Builder extractor(SequenceExtractor value) {
      extractor = value;
      return this;
    }

    /** Time, threads and randomness. */
    public Builder environment(Environment value) {
      environment = value;
      return this;
    }

    /** The configuration, checked. */
    public PipelineConfig build() {
      return new PipelineConfig(
          sequencer,
          trustLevel,
          owner,
          cache,
          queueLimit,
          groupLimit,
          patience,
          registryEntries,
          pollInterval,
          projectors,
          extractor,
          environment);
    }
  }
}
