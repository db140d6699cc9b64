package io.tidemark.simulation;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequencerState;
import io.tidemark.api.StorageException;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.SequenceTouch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A process's part that claims a partition and serves commands until it is stopped or fenced. */
final class Owner {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration SHORT = Duration.ofMillis(50);

  private final Cluster cluster;
  private final SimulatedProcess process;
  private final Choices choices;
  private final IAppStorage storage;
  private final CacheBudget budget;
  private final Sequencers sequencers;
  private final int partition;
  private @Nullable ISequencer sequencer;
  private int commandsLeft;
  private boolean done;

  Owner(
      Cluster cluster,
      SimulatedProcess process,
      IAppStorage storage,
      Sequencers sequencers,
      CacheBudget budget,
      int partition) {
    this.cluster = cluster;
    this.process = process;
    this.choices = cluster.world().choices();
    this.storage = storage;
    this.sequencers = sequencers;
    this.budget = budget;
    this.partition = partition;
  }

  /** How many commands it is to send. */
  Owner commands(int count) {
    commandsLeft = count;
    return this;
  }

  int partition() {
    return partition;
  }

  boolean isDone() {
    return done || process.isDead();
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
        FaultyPartition handle = (FaultyPartition) storage.claim(partition, process.name());
        if (cluster.scope().log() == Scope.Log.PLAIN && choices.chance(1, 5)) {
          rebuild(handle);
          continue; // the next claim is bound to what was built
        }
        ISequencer open = sequencers.open(handle);
        sequencer = open;
        serve(open, handle);
        boolean calm = cluster.isCalm();
        boolean all = open.close(calm ? PATIENCE : SHORT);
        if (calm && !all && commandsLeft == 0 && !handle.isFenced() && !cluster.isBad(partition)) {
          throw new Violation("I16", "a healthy storage did not take what waited");
        }
      } catch (StorageException e) {
        cluster.world().log("claim failed: " + e.getClass().getSimpleName());
      }
      sequencer = null;
      process.newSignal().await(0, SHORT.toNanos());
    }
    done = true;
  }

  /** Builds the numbers anew from the log, in two batches, and switches to them. */
  private void rebuild(FaultyPartition handle) {
    ISeqGeneration building = handle.rebuild();
    long from = building.nextOffset();
    Map<List<Long>, Long> numbers = new LinkedHashMap<>();
    long[] read = {from - 1};
    handle.actualizeSequencesFromPLog(
        from,
        Cancellation.NEVER,
        (values, offset) -> {
          for (int i = 0; i < values.size(); i++) {
            List<Long> key = List.of(values.wsid(i), (long) values.seqId(i));
            numbers.merge(key, values.number(i), Math::max);
          }
          read[0] = offset;
          if (offset == from + 1) {
            building.write(batch(numbers), offset + 1);
          }
        });
    building.write(batch(numbers), read[0] + 1);
    building.activate();
    cluster.world().log("generation " + building.generation() + " is in use");
  }

  private static SeqValues batch(Map<List<Long>, Long> numbers) {
    SeqValues batch = new SeqValues();
    numbers.forEach((key, number) -> batch.add(key.get(0), key.get(1).intValue(), number));
    return batch;
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
          int most = Math.min(Cluster.GROUP, handle.groupLimit(group.get(0).offset()).events());
          if (commandsLeft == 0 || group.size() >= most) {
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
    int draws = 1 + choices.choose(cluster.scope().mostDraws());
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
    boolean lowExplicit = choices.chance(3, 4);
    if (lowExplicit) {
      open.observe(Cluster.OBSERVED, 1);
    }
    List<SequenceTouch> touches = new ArrayList<>();
    open.drawn(
        (seqId, count, last, seen) -> touches.add(new SequenceTouch(seqId, count, last, seen)));
    if (lowExplicit && touches.stream().noneMatch(t -> t.seqId() == Cluster.OBSERVED)) {
      touches.add(new SequenceTouch(Cluster.OBSERVED, 0, 1, true)); // far below what was drawn
    }
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
