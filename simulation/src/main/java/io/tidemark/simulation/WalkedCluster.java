package io.tidemark.simulation;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SequencerState;
import io.tidemark.api.StorageException;
import io.tidemark.api.WriteMode;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.storage.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A cluster small enough to walk all its interleavings: its owners decide nothing by chance. */
final class WalkedCluster {
  private static final int KIND = 1;
  private static final int INVOICES = 256;
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int MOST_STEPS = 2_000;

  /** An owner that was fenced or does not know whether it has claimed tries once more. */
  private static final int MOST_CLAIMS = 2;

  private final World world;
  private final Choices choices;
  private final Exhaustive walk;
  private final MemoryStore store;
  private final Network network;
  private final History history = new History();
  private final HistoryChecker checker;
  private final IPartitionReader reader;
  private final List<SimulatedProcess> processes = new ArrayList<>();
  private final int owners;
  private final int commands;
  private int crashesLeft;
  private int finished;
  private boolean dirty;

  WalkedCluster(
      int owners, int commands, int crashes, int unknown, Choices choices, Exhaustive walk) {
    this.owners = owners;
    this.commands = commands;
    this.crashesLeft = crashes;
    this.choices = choices;
    this.walk = walk;
    this.world = new World(choices);
    this.store = MemoryStore.builder().claimIds(world::nextId).build();
    Scope scope =
        new Scope(owners, 1, 1, 0, 0, 0, WriteMode.INSERT_IF_NOT_EXISTS, false, Scope.Log.PLAIN);
    this.network = new Network(world, store, scope, () -> dirty = true);
    network.walkWith(unknown);
    this.reader = open().reader(0);
    this.checker = new HistoryChecker(history, reader, this::events);
    world.afterEachStep(this::check);
    world.bePunctual();
  }

  World world() {
    return world;
  }

  /** Runs one history to its end, or until its state was met before. */
  void run() {
    try {
      for (int i = 0; i < owners; i++) {
        birth(i);
      }
      for (int i = 0; i < MOST_STEPS; i++) {
        walk.visit(state(), choices.made().length);
        if (!strike() && !world.run(1)) {
          network.calm();
          check();
          return;
        }
        check();
      }
      throw new Violation("I16", "the owners did not come to rest");
    } finally {
      world.end();
    }
  }

  /** A crash or a late write instead of a step, if this history has one here. */
  private boolean strike() {
    int crashes = crashesLeft > 0 && finished < owners ? processes.size() : 0;
    int chosen = choices.choose(1 + crashes + network.lateCount());
    if (chosen == 0) {
      return false;
    }
    if (chosen <= crashes) {
      crashesLeft--;
      SimulatedProcess victim = processes.get(chosen - 1);
      world.log("kill -9 " + victim.name());
      victim.kill();
      birth(processes.size());
    } else {
      network.deliver(chosen - crashes - 1);
    }
    return true;
  }

  private void birth(int number) {
    SimulatedProcess process = new SimulatedProcess(world, "owner" + (number + 1));
    processes.add(process);
    int share = commands / owners + (number < commands % owners ? 1 : 0);
    world.spawn(process, "main", () -> serve(process, Math.max(1, share)));
  }

  private IAppStorage open() {
    return store.open("app", Layout.of(1));
  }

  private List<PLogEvent> events() {
    List<PLogEvent> events = new ArrayList<>();
    reader.readPLog(1, events::add);
    return events;
  }

  private void check() {
    history.throwReported();
    if (dirty) {
      dirty = false;
      checker.checkInstant();
    }
  }

  /** The store's rows, what every process did and saw, and what may still go wrong. */
  private long state() {
    long rows = reader.info().epoch().hashCode();
    for (PLogEvent event : checker.log()) {
      rows = rows * 31 + event.header().writeId().hashCode();
    }
    long[] numbers = {reader.readNextPLogOffset()};
    reader.scanNumbers(
        (wsid, seqId, number) -> {
          numbers[0] += spread(wsid * 65537 + seqId * 31L + number);
          return true;
        });
    long state = spread(rows) + 3 * spread(numbers[0]) + 5 * spread(world.now());
    state += 7 * spread(network.hash() * 31 + crashesLeft);
    for (int i = 0; i < processes.size(); i++) {
      state = spread(state + (i + 11) * processes.get(i).seen());
    }
    return state;
  }

  private static long spread(long value) {
    long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /** Claims and logs its commands, each with one invoice of the same workspace. */
  private void serve(SimulatedProcess process, int share) {
    SequencerConfig config =
        SequencerConfig.builder(
                SequenceTypes.builder()
                    .sequence(KIND, INVOICES, SequenceDefinition.named("invoices").build())
                    .build())
            .maxUnflushedValues(2)
            .build();
    FaultyApp app = new FaultyApp(network, history, open(), world, null);
    int left = share;
    for (int claims = 0; left > 0 && claims < MOST_CLAIMS; claims++) {
      try {
        FaultyPartition handle = (FaultyPartition) app.claim(0, process.name());
        ISequencer open = Sequencers.of(app, config, CacheBudget.of(1), process).open(handle);
        while (left > 0 && open.start(KIND, 0, PATIENCE) > 0) {
          left -= command(process, open, handle) ? 1 : 0;
        }
        open.close(PATIENCE);
      } catch (StorageException e) {
        world.log("claim failed: " + e.getClass().getSimpleName());
      }
    }
    finished++;
  }

  private boolean command(SimulatedProcess process, ISequencer open, FaultyPartition handle) {
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
      return false;
    }
    open.flush();
    return true;
  }
}
