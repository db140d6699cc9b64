package io.tidemark.storage.memory;

import io.tidemark.spi.Layout;
import java.util.HashMap;
import java.util.Map;

/** What the store holds of one application. Needs the lock. */
final class AppState {
  private final String name;
  private final Layout layout;
  private final Journal journal;
  private final SequenceState sequences;
  private final Map<Integer, PartitionState> partitions = new HashMap<>();

  AppState(String name, Layout layout, Journal journal) {
    this.name = name;
    this.layout = layout;
    this.journal = journal;
    sequences = new SequenceState(name, journal);
  }

  String name() {
    return name;
  }

  Layout layout() {
    return layout;
  }

  SequenceState sequences() {
    return sequences;
  }

  PartitionState partition(int partition) {
    return partitions.computeIfAbsent(
        layout.requirePartition(partition),
        number ->
            new PartitionState("partition " + number + " of application '" + name + "'", journal));
  }
}
