package io.tidemark.simulation;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SequencerStatus;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.storage.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several processes, each an owner of every partition, one store, and a nemesis that kills, pauses
 * and takes over.
 */
final class Cluster {
  static final int KIND = 1;
  static final int INVOICES = 256;
  static final int ORDERS = 257;
  static final int OBSERVED = 258;
  static final int[] SEQUENCES = {INVOICES, ORDERS, OBSERVED};
  static final int MAX_UNFLUSHED = 3;
  static final int CACHE_NUMBERS = 6;
  static final int GROUP = 3;

  private static final int CALM_STEPS = 20_000;

  private final Scope scope;
  private final World world;
  private final MemoryStore store;
  private final List<Part> parts = new ArrayList<>();
  private final Network network;
  private final @Nullable BucketedLog bucketed;
  private final SequencerConfig config;
  private final List<Owner> owners = new ArrayList<>();
  private boolean calm;
  private boolean bad;
  private boolean dirty;
  private int born;

  Cluster(Scope scope, Choices choices) {
    this.scope = scope;
    this.world = new World(choices);
    this.store = MemoryStore.builder().claimIds(world::nextId).build();
    this.network = new Network(world, store, scope, () -> dirty = true);
    this.config =
        SequencerConfig.builder(
                SequenceTypes.builder()
                    .sequence(KIND, INVOICES, SequenceDefinition.named("invoices").build())
                    .sequence(KIND, ORDERS, SequenceDefinition.named("orders").build())
                    .sequence(KIND, OBSERVED, SequenceDefinition.named("observed").build())
                    .build())
            .maxUnflushedValues(MAX_UNFLUSHED)
            .build();
    this.bucketed =
        scope.log() == Scope.Log.PLAIN ? null : new BucketedLog(scope.log() == Scope.Log.BUCKETED);
    this.bad = scope.bad();
    for (int app = 0; app < scope.applications(); app++) {
      for (int i = 0; i < scope.partitions(); i++) {
        IPartitionReader reader = open(app).reader(i);
        History history = new History();
        parts.add(new Part(history, new HistoryChecker(history, reader, () -> events(reader))));
      }
    }
    world.afterEachStep(this::check);
  }

  /** A partition of an application, and what was done with it. */
  private record Part(History history, HistoryChecker checker) {}

  World world() {
    return world;
  }

  Scope scope() {
    return scope;
  }

  boolean isCalm() {
    return calm;
  }

  /** Whether a partition takes no numbers now. */
  boolean isBad(int partition) {
    return bad && partition == 0;
  }

  private List<PLogEvent> events(IPartitionReader reader) {
    BucketedLog log = bucketed;
    if (log != null) {
      return log.events();
    }
    List<PLogEvent> events = new ArrayList<>();
    reader.readPLog(1, events::add);
    return events;
  }

  /** Runs the whole story; throws the {@link Violation} it finds. */
  void run() {
    try {
      for (int i = 0; i < scope.owners(); i++) {
        birth(scope.commandsPerOwner());
      }
      for (int i = 0; i < scope.chaosSteps() && world.run(1); i++) {
        if (world.choices().chance(scope.nemesisPerMille(), 1000)) {
          strike();
          check();
        }
      }
      comeToRest();
    } finally {
      world.end();
    }
  }

  private IAppStorage open(int app) {
    return store.open(app == 0 ? "app" : "app" + app, Layout.of(scope.partitions()));
  }

  private void birth(int commands) {
    SimulatedProcess process = new SimulatedProcess(world, "owner" + ++born);
    CacheBudget budget = CacheBudget.of(CACHE_NUMBERS);
    for (int app = 0; app < scope.applications(); app++) {
      int first = app * scope.partitions();
      FaultyApp storage =
          new FaultyApp(
              network, part -> parts.get(first + part).history, open(app), world, bucketed);
      Sequencers sequencers = Sequencers.of(storage, config, budget, process);
      for (int i = 0; i < scope.partitions(); i++) {
        Owner owner = new Owner(this, process, storage, sequencers, budget, i).commands(commands);
        owners.add(owner);
        world.spawn(process, "main", owner::main);
      }
    }
  }

  private void strike() {
    Owner victim = owners.get(world.choices().choose(owners.size()));
    switch (world.choices().choose(5)) {
      case 0 -> network.deliverOne();
      case 1 -> {
        world.log("kill -9 " + victim.process().name());
        victim.process().kill();
        owners.removeIf(owner -> owner.process() == victim.process());
        birth(scope.commandsPerOwner() / 2);
      }
      case 2 -> {
        world.log("pause " + victim.process().name());
        victim.process().pause(true);
      }
      case 3 -> {
        world.log("resume " + victim.process().name());
        victim.process().pause(false);
      }
      default -> {
        world.log("the clock jumps");
        world.jump(1_000_000_000L);
      }
    }
  }

  /** Faults stop; everybody finishes; a last owner must find everything in order. */
  private void comeToRest() {
    calm = true;
    world.log("calm");
    world.bePunctual();
    owners.forEach(owner -> owner.process().pause(false));
    network.calm();
    check();
    if (bad) {
      finishGoodOnes();
    }
    finish("the owners");
    birth(2);
    finish("a new owner");
    parts.forEach(part -> part.checker.checkAtRest());
  }

  /** A partition that takes no numbers holds up no other. */
  private void finishGoodOnes() {
    for (int i = 0; i < CALM_STEPS; i++) {
      if (owners.stream().allMatch(owner -> owner.isDone() || isBad(owner.partition()))) {
        bad = false;
        network.heal();
        return;
      }
      world.run(1);
    }
    throw new Violation("I16", "a partition that takes no numbers holds up the others");
  }

  private void finish(String who) {
    if (world.run(CALM_STEPS)) {
      throw new Violation("I16", who + " did not come to rest after the faults had stopped");
    }
  }

  private void check() {
    parts.forEach(part -> part.history.throwReported());
    if (dirty) {
      dirty = false;
      parts.forEach(part -> part.checker.checkInstant());
    }
    for (Owner owner : owners) {
      ISequencer sequencer = owner.sequencer();
      if (sequencer != null && !owner.process().isDead()) {
        checkMemory(owner, sequencer.status());
      }
    }
  }

  private void checkMemory(Owner owner, SequencerStatus status) {
    int group = GROUP * (SEQUENCES.length + 1);
    if (status.waitingValues() + status.inFlightValues() > 2 * MAX_UNFLUSHED + group) {
      throw new Violation("I14", "too many values are held: " + status);
    }
    if (owner.budget().used() > owner.budget().capacity()) {
      throw new Violation("I14", "the cache holds " + owner.budget().used() + " numbers");
    }
  }
}
