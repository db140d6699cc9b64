package io.tidemark.simulation;

import io.tidemark.api.BusyException;
import io.tidemark.api.StorageException;
import io.tidemark.core.Environment;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.storage.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Two nodes that run a user's handler, a store that fails, and a nemesis. */
final class HandledCluster {
  private static final int CALM_STEPS = 20_000;
  private static final int MOST_STARTS = 50;
  private static final Duration RESTART = Duration.ofMillis(50);

  private final Handler handler;
  private final Scope scope;
  private final World world;
  private final MemoryStore store;
  private final Network network;
  private final History history = new History();
  private final IPartitionReader reader;
  private final HistoryChecker checker;
  private final List<SimulatedProcess> nodes = new ArrayList<>();
  private boolean dirty;
  private int born;

  HandledCluster(Handler handler, Scope scope, Choices choices) {
    this.handler = handler;
    this.scope = scope;
    this.world = new World(choices);
    this.store = MemoryStore.builder().claimIds(world::nextId).build();
    this.network = new Network(world, store, scope, () -> dirty = true);
    this.reader = open().reader(0);
    this.checker = new HistoryChecker(history, reader, this::events);
    checker.trustHeaders();
    world.afterEachStep(this::check);
  }

  World world() {
    return world;
  }

  void run() {
    try {
      for (int i = 0; i < scope.owners(); i++) {
        birth();
      }
      for (int i = 0; i < scope.chaosSteps() && world.run(1); i++) {
        if (world.choices().chance(scope.nemesisPerMille(), 1000)) {
          strike();
          check();
        }
      }
      world.log("calm");
      world.bePunctual();
      nodes.forEach(node -> node.pause(false));
      network.calm();
      check();
      if (world.run(CALM_STEPS)) {
        throw new Violation("I16", "the handler did not come to rest after the faults had stopped");
      }
      handler.check(reader);
    } finally {
      world.end();
    }
  }

  private void strike() {
    SimulatedProcess victim = nodes.get(world.choices().choose(nodes.size()));
    switch (world.choices().choose(4)) {
      case 0 -> network.deliverOne();
      case 1 -> {
        world.log("kill -9 " + victim.name());
        victim.kill();
        nodes.remove(victim);
        birth();
      }
      case 2 -> {
        world.log("pause " + victim.name());
        victim.pause(true);
      }
      default -> {
        world.log("resume " + victim.name());
        victim.pause(false);
      }
    }
  }

  private void birth() {
    SimulatedProcess process = new SimulatedProcess(world, "node" + ++born);
    nodes.add(process);
    IAppStorage storage = new FaultyApp(network, history, open(), world);
    world.spawn(process, "main", () -> serve(new RunningNode(process, storage)));
  }

  private void serve(RunningNode node) {
    for (int starts = 0; starts < MOST_STARTS; starts++) {
      try {
        handler.serve(node);
        return;
      } catch (StorageException | BusyException e) {
        world.log("node ends: " + e.getClass().getSimpleName());
        node.process.newSignal().await(0, RESTART.toNanos());
      }
    }
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

  private final class RunningNode implements Handler.Node {
    private final SimulatedProcess process;
    private final IAppStorage storage;

    RunningNode(SimulatedProcess process, IAppStorage storage) {
      this.process = process;
      this.storage = storage;
    }

    @Override
    public String name() {
      return process.name();
    }

    @Override
    public IAppStorage storage() {
      return storage;
    }

    @Override
    public Environment environment() {
      return process;
    }

    @Override
    public int choose(int options) {
      return world.choices().choose(options);
    }

    @Override
    public void log(String line) {
      world.log(line);
    }
  }
}
