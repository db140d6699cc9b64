package io.tidemark.simulation;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.ISequencer;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SequencerState;
import io.tidemark.api.StorageException;
import io.tidemark.api.WriteMode;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An owner whose interleavings are walked: it claims and logs its commands, each with one invoice
 * of the same workspace, and decides nothing by chance.
 */
final class WalkedOwner implements Runnable {
  private static final int KIND = 1;
  private static final int INVOICES = 256;

  /** Longer than any walk: whoever waits so long waits for ever. */
  static final Duration PATIENCE = Duration.ofHours(2);

  private static final SequencerConfig CONFIG =
      SequencerConfig.builder(
              SequenceTypes.builder()
                  .sequence(KIND, INVOICES, SequenceDefinition.named("invoices").build())
                  .build())
          .maxUnflushedValues(2)
          .readTimeout(PATIENCE)
          .build();

  private final WalkedCluster cluster;
  private final World world;
  private final SimulatedProcess process;
  private final FaultyApp app;
  private int left;
  private boolean done;
  private long heap;

  WalkedOwner(
      WalkedCluster cluster, World world, SimulatedProcess process, FaultyApp app, int commands) {
    this.cluster = cluster;
    this.world = world;
    this.process = process;
    this.app = app;
    this.left = commands;
  }

  SimulatedProcess process() {
    return process;
  }

  /** How many commands it has not logged. */
  int left() {
    return left;
  }

  boolean isDone() {
    return done;
  }

  boolean isDead() {
    return process.isDead();
  }

  /** Stands for all its process had in memory when it was looked at last. */
  long heap() {
    return heap;
  }

  void heap(long hash) {
    heap = hash;
  }

  void look(HeapHash.Look look) {
    heap = isDead() ? 0 : process.lookAtHeap(look);
  }

  @Override
  public void run() {
    boolean again = true;
    while (left > 0 && again) {
      process.holds();
      begins();
      again = false;
      try {
        FaultyPartition handle = (FaultyPartition) app.claim(0, process.name());
        ISequencer open = Sequencers.of(app, CONFIG, CacheBudget.of(1), process).open(handle);
        process.holds(open, handle);
        while (left > 0 && open.start(KIND, 0, PATIENCE) > 0) {
          command(open, handle);
          begins();
        }
        open.close(PATIENCE);
        again = left > 0 && handle.isFenced() && cluster.takesOver();
      } catch (OutcomeUnknownException e) {
        world.log("claim failed: " + e.getClass().getSimpleName());
        again = true; // it may have claimed or not
      } catch (StorageException e) {
        world.log("claim failed: " + e.getClass().getSimpleName());
      }
    }
    process.holds();
    done = true;
  }

  /** Here the thread has nothing in hand but what its process holds. */
  private void begins() {
    Actor main = requireNonNull(world.running());
    main.forgetAllBut(left);
    cluster.learnAll(main);
  }

  private void command(ISequencer open, FaultyPartition handle) {
    long number = open.next(INVOICES);
    List<SequenceTouch> touches = new ArrayList<>();
    open.drawn(
        (seqId, count, last, seen) -> touches.add(new SequenceTouch(seqId, count, last, seen)));
    long offset = open.status().nextOffset();
    EventHeader header = new EventHeader(process.randomId(), offset, 0, KIND, 0, false, touches);
    byte[] payload = Drawn.write(List.of(new Drawn(INVOICES, number, false)));
    try {
      handle.append(
          List.of(new PLogEvent(offset, header, payload)), WriteMode.INSERT_IF_NOT_EXISTS);
    } catch (StorageException e) {
      world.log("append failed: " + e.getClass().getSimpleName());
      if (open.status().state() == SequencerState.IN_TRANSACTION) {
        open.actualize();
      }
      return;
    }
    open.flush();
    left--;
  }
}
