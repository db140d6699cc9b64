package io.tidemark.core;

import io.tidemark.api.ISequencer;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.SeqDataBatch;
import java.util.List;

/**
 * Makes sequencers. One instance per application: its sequencers share a flusher and a cache
 * budget.
 *
 * <p>Those who keep their own log need one line: {@code Sequencers.over(storage, config)}.
 */
public final class Sequencers {
  private final IAppStorage application;
  private final SequencerConfig config;
  private final CacheBudget budget;
  private final Environment environment;
  private final Kinds kinds;
  private final Flusher flusher;

  private Sequencers(
      IAppStorage application,
      SequencerConfig config,
      CacheBudget budget,
      Environment environment) {
    this.application = application;
    this.config = config;
    this.budget = budget;
    this.environment = environment;
    this.kinds = new Kinds(config.sequences());
    this.flusher = new Flusher(environment, config, this::writeGroup);
  }

  /** A sequencer over numbers alone, for those who keep their own log. It starts actualizing. */
  public static ISequencer over(ISeqStorage storage, SequencerConfig config) {
    return over(storage, config, CacheBudget.of(CacheBudget.DEFAULT_NUMBERS), Environment.system());
  }

  /** Like {@link #over(ISeqStorage, SequencerConfig)}, with a shared budget and environment. */
  public static ISequencer over(
      ISeqStorage storage, SequencerConfig config, CacheBudget budget, Environment environment) {
    Flusher flusher =
        new Flusher(environment, config, taken -> taken.forEach(Sequencer::writeBatch));
    Kinds kinds = new Kinds(config.sequences());
    return new Sequencer(0, storage, config, kinds, budget, flusher, environment).begin();
  }

  /** The sequencers of an application, with a cache budget of their own. */
  public static Sequencers of(IAppStorage application, SequencerConfig config) {
    CacheBudget budget = CacheBudget.of(CacheBudget.DEFAULT_NUMBERS);
    return of(application, config, budget, Environment.system());
  }

  /** The sequencers of an application, with a shared budget and environment. */
  public static Sequencers of(
      IAppStorage application,
      SequencerConfig config,
      CacheBudget budget,
      Environment environment) {
    return new Sequencers(application, config, budget, environment);
  }

  /** The sequencer of a claimed partition. It starts actualizing. */
  public ISequencer open(IPartitionStorage partition) {
    return new Sequencer(
            partition.partition(), partition, config, kinds, budget, flusher, environment)
        .begin();
  }

  /** Claims a partition for the everyday handle; {@code owner} is a diagnostic text. */
  public LogPartition claim(int partition, String owner) {
    IPartitionStorage storage = application.claim(partition, owner);
    return new LogPartition(application.layout(), storage, open(storage), config, environment);
  }

  private void writeGroup(List<Sequencer> taken) {
    if (taken.size() == 1) {
      taken.get(0).writeBatch();
      return;
    }
    List<SeqDataBatch> batches =
        taken.stream()
            .map(
                sequencer ->
                    new SeqDataBatch(
                        (IPartitionStorage) sequencer.storage(),
                        sequencer.batch(),
                        sequencer.batchOffset()))
            .toList();
    application.writeSeqData(batches);
  }
}
