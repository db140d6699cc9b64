package io.tidemark.bench;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.Environment;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;

/** Sequencers as the benchmarks of the engine use them. */
final class Workloads {
  private Workloads() {}

  static ISequencer sequencer(FlatSeqStorage storage, int sequences, long cachedNumbers) {
    return sequencer(storage, SequencerConfig.of(types(sequences)), cachedNumbers);
  }

  static ISequencer sequencer(FlatSeqStorage storage, SequencerConfig config, long cachedNumbers) {
    return Sequencers.over(storage, config, CacheBudget.of(cachedNumbers), Environment.system());
  }

  static SequenceTypes types(int sequences) {
    SequenceTypes.Builder types = SequenceTypes.builder();
    for (int i = 0; i < sequences; i++) {
      types.sequence(
          FlatSeqStorage.KIND,
          FlatSeqStorage.FIRST + i,
          SequenceDefinition.named("sequence" + i).build());
    }
    return types.build();
  }
}
