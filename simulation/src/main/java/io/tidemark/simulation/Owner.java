package io.tidemark.simulation;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequencerState;
import io.tidemark.api.StorageException;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A process that claims the partition and serves commands until it is stopped or fenced. */
final class Owner {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration SHORT = Duration.ofMillis(50);

  private final Cluster cluster;
  private final SimulatedProcess process;
  private final Choices choices;
  private final IAppStorage storage;
  private final CacheBudget budget;
  private @Nullable ISequencer sequencer;
  private int commandsLeft;

  Owner(Cluster cluster, SimulatedProcess process, IAppStorage storage, int commands) {
    this.cluster = cluster;
    this.process = process;
    this.choices = cluster.world().choices();
    this.storage = storage;
    this.budget = CacheBudget.of(Cluster.CACHE_NUMBERS);
    this.commandsLeft = commands;
  }

  SimulatedProcess process() {
    return process;
  }

  CacheBudget budget() {
    return budget;
  }

  /** The sequencer it serves with now, or null. */
  @Nullable ISequencer sequencer() {
    return sequencer;
  }

  void main() {
    while (commandsLeft > 0) {
      try {
        FaultyPartition handle = (FaultyPartition) storage.claim(0, process.name());
        ISequencer open = Sequencers.of(storage, cluster.config(), budget, process).open(handle);
        sequencer = open;
        serve(open, handle);
        boolean calm = cluster.isCalm();
        boolean all = open.close(calm ? PATIENCE : SHORT);
        if (calm && !all && commandsLeft == 0 && !handle.isFenced()) {
          throw new Violation("I16", "a healthy storage did not take what waited");
        }
      } catch (StorageException e) {
        cluster.world().log("claim failed: " + e.getClass().getSimpleName());
      }
      sequencer = null;
      process.newSignal().await(0, SHORT.toNanos());
    }
  }

  private void serve(ISequencer open, FaultyPartition handle) {
    List<PLogEvent> group = new ArrayList<>();
    while (commandsLeft > 0) {
      int wsid = choices.choose(cluster.scope().workspaces());
      long offset = open.start(Cluster.KIND, wsid, PATIENCE);
      if (offset == 0) {
        if (isFinal(open)) {
          return;
        }
        if (!group.isEmpty()) {
          append(open, handle, group);
        }
        continue;
      }
      PLogEvent event = build(open, offset, wsid, group);
      switch (choices.choose(6)) {
        case 5 -> {
          open.cancel();
          commandsLeft--;
        }
        case 4 -> {
          open.stage();
          group.add(event);
          commandsLeft--;
          if (commandsLeft == 0 || group.size() >= Cluster.GROUP) {
            append(open, handle, group);
          }
        }
        default -> {
          commandsLeft--;
          group.add(event);
          append(open, handle, group);
        }
      }
      if (isFinal(open)) {
        return;
      }
    }
    if (!group.isEmpty()) {
      append(open, handle, group);
    }
  }

  private PLogEvent build(ISequencer open, long offset, long wsid, List<PLogEvent> group) {
    List<Drawn> drawn = new ArrayList<>();
    int draws = 1 + choices.choose(3);
    for (int i = 0; i < draws; i++) {
      int seqId = Cluster.SEQUENCES[choices.choose(Cluster.SEQUENCES.length)];
      if (seqId == Cluster.OBSERVED && choices.chance(1, 4)) {
        long number = open.next(seqId);
        drawn.add(new Drawn(seqId, number, true));
        number += 1 + choices.choose(3);
        open.observe(seqId, number);
        drawn.add(new Drawn(seqId, number, true));
      } else {
        drawn.add(new Drawn(seqId, open.next(seqId), seqId == Cluster.OBSERVED));
      }
    }
    List<SequenceTouch> touches = new ArrayList<>();
    open.drawn(
        (seqId, count, last, seen) -> touches.add(new SequenceTouch(seqId, count, last, seen)));
    long first = group.isEmpty() ? offset : group.get(0).offset();
    EventHeader header =
        new EventHeader(process.randomId(), first, wsid, Cluster.KIND, 0, false, touches);
    return new PLogEvent(offset, header, Drawn.write(drawn));
  }

  private void append(ISequencer open, FaultyPartition handle, List<PLogEvent> group) {
    List<PLogEvent> events = List.copyOf(group);
    group.clear();
    try {
      handle.append(events, cluster.scope().mode());
    } catch (StorageException e) {
      cluster.world().log("append failed: " + e.getClass().getSimpleName());
      if (!isFinal(open)) {
        open.actualize();
      }
      return;
    }
    try {
      open.flush();
    } catch (RuntimeException e) {
      throw new Violation("I20", "flush failed: " + e);
    }
  }

  private static boolean isFinal(ISequencer open) {
    SequencerState state = open.status().state();
    return state != SequencerState.ACTUALIZING
        && state != SequencerState.READY
        && state != SequencerState.IN_TRANSACTION;
  }
}
