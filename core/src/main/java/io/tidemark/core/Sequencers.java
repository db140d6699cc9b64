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
    Flusher flusher = new Flusher(environment, config, taken -> taken.forEach(Machine::writeBatch));
    Kinds kinds = new Kinds(config.sequences());
    return begin(0, storage, config, kinds, budget, flusher, environment);
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
    return begin(partition.partition(), partition, config, kinds, budget, flusher, environment);
  }

  /** Claims a partition for the everyday handle; {@code owner} is a diagnostic text. */
  public LogPartition claim(int partition, String owner) {
    IPartitionStorage storage = application.claim(partition, owner);
    return new LogPartition(application.layout(), storage, open(storage), config, environment);
  }

  private static ISequencer begin(
      int partition,
      ISeqStorage storage,
      SequencerConfig config,
      Kinds kinds,
      CacheBudget budget,
      Flusher flusher,
      Environment environment) {
    Machine machine = new Machine(partition, storage, config, kinds, budget, flusher, environment);
    machine.begin();
    return new Sequencer(machine, storage, config, kinds, environment);
  }

  private void writeGroup(List<Machine> taken) {
    if (taken.size() == 1) {
      taken.get(0).writeBatch();
      return;
    }
    List<SeqDataBatch> batches =
        taken.stream()
            .map(
                machine ->
                    new SeqDataBatch(
                        (IPartitionStorage) machine.storage(),
                        machine.fillBatch(),
                        machine.batchOffset()))
            .toList();
    application.writeSeqData(batches);
  }
}
