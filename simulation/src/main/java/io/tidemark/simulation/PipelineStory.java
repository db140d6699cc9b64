package io.tidemark.simulation;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SystemSequences;
import io.tidemark.pipeline.RecordType;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.RecordRow;
import io.tidemark.storage.memory.MemoryStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Several processes serve one partition with the real pipeline, and a nemesis is about. */
final class PipelineStory {
  static final int KIND = 1;
  static final int INVOICE = 256;
  static final RecordType ORDER = RecordType.wdoc("Order");
  static final RecordType CUSTOMER = RecordType.cdoc("Customer");
  static final long FIRST_ORDER = SystemSequences.owrecordId().min();
  static final long FIRST_CUSTOMER = SystemSequences.crecordId().min();
  static final SequenceTypes SEQUENCES =
      SequenceTypes.builder()
          .platform(KIND)
          .sequence(KIND, INVOICE, SequenceDefinition.named("invoice").build())
          .build();

  private static final String APPLICATION = "app";
  private static final int CALM_STEPS = 50_000;
  private static final int FOREIGN_WORKSPACE = 0;

  private final PipelineScope scope;
  private final World world;
  private final MemoryStore store;
  private final PipelineWire wire;
  private final PipelineChecker checker;
  private final List<PipelineNode> nodes = new ArrayList<>();
  private final Map<Long, List<Long>> orders = new HashMap<>();
  private boolean calm;
  private boolean dirty;
  private int born;
  private int named;

  PipelineStory(PipelineScope scope, Choices choices) {
    this.scope = scope;
    this.world = new World(choices);
    this.store =
        MemoryStore.builder()
            .claimIds(world::nextId)
            .groupLimit(new GroupLimit(3, 1 << 20))
            .build();
    this.wire = new PipelineWire(world, store, scope.faultsPerMille(), () -> dirty = true);
    this.checker = new PipelineChecker(open().reader(0));
    world.afterEachStep(this::check);
  }

  World world() {
    return world;
  }

  PipelineScope scope() {
    return scope;
  }

  PipelineChecker checker() {
    return checker;
  }

  boolean isCalm() {
    return calm;
  }

  IAppStorage connect() {
    return new PipelineApp(wire, checker, open(), scope.atomic());
  }

  private IAppStorage open() {
    return store.open(APPLICATION, Layout.of(1));
  }

  /** A command's name, never given before. */
  int nextName() {
    return ++named;
  }

  /** The orders of a workspace that clients know of. */
  List<Long> orders(long wsid) {
    return orders.computeIfAbsent(wsid, unused -> new ArrayList<>());
  }

  /** Runs the whole story; throws the {@link Violation} it finds. */
  void run() {
    try {
      if (scope.foreign()) {
        plant();
      }
      birth(scope.commands());
      if (!scope.alone()) {
        birth(scope.commands());
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

  private void plant() {
    long id = FIRST_ORDER + world.choices().choose(4);
    store.plantRecord(APPLICATION, FOREIGN_WORKSPACE, id, new byte[] {1});
    checker.planted(new RecordRow(FOREIGN_WORKSPACE, id, 0, false, new byte[] {1}));
  }

  private void birth(int commands) {
    SimulatedProcess process = new SimulatedProcess(world, "process" + ++born);
    PipelineNode node = new PipelineNode(this, process, commands);
    nodes.add(node);
    world.spawn(process, "main", node::main);
  }

  private void strike() {
    PipelineNode victim = nodes.get(world.choices().choose(nodes.size()));
    switch (world.choices().choose(5)) {
      case 0 -> wire.deliverOne();
      case 1 -> {
        world.log("kill -9 " + victim.process().name());
        victim.process().kill();
        nodes.remove(victim);
        birth(scope.commands() / 2);
      }
      case 2 -> {
        world.log("pause " + victim.process().name());
        victim.process().pause(true);
      }
      case 3 -> {
        world.log("resume " + victim.process().name());
        victim.process().pause(false);
      }
      default -> world.jump(1_000_000_000L);
    }
  }

  /** Faults stop; everybody finishes; a last process must find everything in order. */
  private void comeToRest() {
    calm = true;
    world.log("calm");
    world.bePunctual();
    nodes.forEach(node -> node.process().pause(false));
    wire.calm();
    check();
    finish("the processes");
    if (!checker.isFailed()) {
      int before = checker.log().size();
      birth(1);
      finish("a new process");
      if (checker.log().size() == before && !checker.isFailed()) {
        throw new Violation("I16", "after the faults no command got through");
      }
    }
    if (checker.isFailed()) {
      checkFailed();
    } else if (!scope.foreign()) {
      checker.checkAtRest();
    }
  }

  private void checkFailed() {
    if (!scope.foreign()) {
      throw new Violation("P-11", "the partition failed, and nobody had planted anything");
    }
    checker.checkInstant();
  }

  private void finish(String who) {
    if (world.run(CALM_STEPS)) {
      throw new Violation("I16", who + " did not come to rest after the faults had stopped");
    }
  }

  private void check() {
    if (dirty) {
      dirty = false;
      checker.checkInstant();
    }
  }
}
