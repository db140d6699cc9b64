package io.tidemark.bench;

import io.tidemark.api.ISequencer;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.Environment;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The partitions of one application in one process, on storage-memory. */
final class PartitionFleet implements AutoCloseable {
  static final int SEQUENCES = 3;

  /** Whatever the number of partitions, so that their numbers always fit the default cache. */
  static final int WORKSPACES = 30_000;

  private final CountedApp app;
  private final List<IPartitionStorage> handles = new ArrayList<>();
  private final ISequencer[] sequencers;
  private final Xorshift random = new Xorshift();

  /** Claims the partitions; {@link #open} begins to serve them. */
  PartitionFleet(int partitions) {
    app = new CountedApp(new MemoryStore().open("bench", Layout.of(partitions)));
    sequencers = new ISequencer[partitions];
    for (int partition = 0; partition < partitions; partition++) {
      handles.add(app.claim(partition, "bench"));
    }
  }

  PartitionFleet open() {
    SequencerConfig config = SequencerConfig.of(Workloads.types(SEQUENCES));
    CacheBudget budget = CacheBudget.of(CacheBudget.DEFAULT_NUMBERS);
    Sequencers application = Sequencers.of(app, config, budget, Environment.system());
    for (int i = 0; i < sequencers.length; i++) {
      sequencers[i] = application.open(handles.get(i));
    }
    for (ISequencer sequencer : sequencers) {
      Workloads.ready(sequencer);
    }
    return this;
  }

  int partitions() {
    return sequencers.length;
  }

  /** A transaction in every workspace, so that none has to be loaded later. */
  void drawEverywhere() {
    for (long wsid = 0; wsid < WORKSPACES; wsid++) {
      draw(wsid);
    }
  }

  /** A transaction in some workspace of some partition. */
  void draw() {
    draw(random.below(WORKSPACES));
  }

  private void draw(long wsid) {
    Workloads.draw(sequencers[(int) (wsid % sequencers.length)], wsid, SEQUENCES);
  }

  /** Waits until all that was drawn is stored. */
  void stored() {
    for (ISequencer sequencer : sequencers) {
      Workloads.stored(sequencer);
    }
  }

  CountedApp app() {
    return app;
  }

  @Override
  public void close() {
    for (ISequencer sequencer : sequencers) {
      sequencer.close(Duration.ZERO);
    }
    app.close();
  }
}
