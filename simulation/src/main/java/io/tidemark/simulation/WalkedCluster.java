package io.tidemark.simulation;

import static java.util.Objects.requireNonNull;

import io.tidemark.spi.Epoch;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.storage.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A cluster small enough to walk all its interleavings. */
final class WalkedCluster {
  private static final int MOST_MOVES = 2_000;

  private final World world;
  private final Choices choices;
  private final Exhaustive walk;
  private final Exhaustive.Mode mode;
  private final boolean reduced;
  private final MemoryStore store;
  private final Network network;
  private final History history = new History();
  private final HistoryChecker checker;
  private final IPartitionReader reader;
  private final int[] size;
  private final List<WalkedOwner> owners = new ArrayList<>();

  /** Killed and not yet replaced: who comes gets the commands that were left. */
  private final List<WalkedOwner> births = new ArrayList<>();

  /** Whose memory may have changed with the last move. */
  private final Set<WalkedOwner> touched = new LinkedHashSet<>();

  private int changesLeft;
  private int moved;
  private boolean dirty;
  private @Nullable Move step;
  private Actor.@Nullable Wait before;

  WalkedCluster(int[] size, Choices choices, Exhaustive walk, Exhaustive.Mode mode, boolean quiet) {
    this.size = size;
    this.changesLeft = size[2];
    this.choices = choices;
    this.walk = walk;
    this.mode = mode;
    this.reduced = mode != Exhaustive.Mode.PLAIN;
    this.world = new World(choices);
    this.store = MemoryStore.builder().claimIds(world::nextId).build();
    this.network = new Network(world, store, Scope.walked(size[0]), () -> dirty = true);
    this.reader = open().reader(0);
    network.walkWith(size[3], this::epoch);
    this.checker = new HistoryChecker(history, reader, this::events);
    world.bePunctual();
    if (quiet) {
      world.beQuiet();
    }
  }

  World world() {
    return world;
  }

  /** Runs one history to its end and answers what stands for it, unless it is walked elsewhere. */
  long run() {
    try {
      for (int i = 0; i < size[0]; i++) {
        birth(size[1] / size[0] + (i < size[1] % size[0] ? 1 : 0));
      }
      world.drive(this::next);
      network.calm();
      check();
      if (owners.stream().anyMatch(owner -> !owner.isDead() && !owner.isDone())) {
        throw new Violation("I16", "an owner waits for ever");
      }
      return Mix.of(stored(), history.hash(checker.log()));
    } finally {
      world.end();
    }
  }

  /** What follows the last step; answers whose step is next, or null at the end. */
  private @Nullable Actor next() {
    finishStep();
    for (; moved < MOST_MOVES; moved++) {
      check();
      List<Move> moves = moves();
      Move move = walk.next(moves, preferred(moves), this::state, heaps());
      if (move == null) {
        return null;
      }
      switch (move.kind()) {
        case DELIVER -> {
          network.deliver(move.index());
          touched.addAll(owners);
        }
        case BIRTH -> birth(births.remove(move.index()).left());
        case TIME -> {
          world.passTime();
          if (world.now() >= WalkedOwner.PATIENCE.toNanos()) {
            throw new Violation("I16", "somebody waits for ever");
          }
          touched.addAll(owners);
        }
        case KILL -> {
          kill(owners.get(move.index()));
          birth(births.remove(0).left());
        }
        case STEP -> {
          return begin(move, requireNonNull(move.actor()));
        }
      }
    }
    throw new Violation("I16", "the owners did not come to rest");
  }

  private Actor begin(Move move, Actor actor) {
    step = move;
    before = actor.beginStep();
    learnAll(actor);
    return actor;
  }

  /** Its stack may hold anything it can reach now. */
  void learnAll(Actor actor) {
    if (mode == Exhaustive.Mode.CAREFUL) {
      actor.learn(actor.process.within(actor, walk.lookWith(epoch())));
    }
  }

  /** A process that is killed might as well have been killed right after its last write. */
  private void finishStep() {
    Move move = step;
    if (move == null) {
      return;
    }
    step = null;
    WalkedOwner owner = owners.get(move.process());
    requireNonNull(move.actor()).endStep(requireNonNull(before));
    if (reduced && move.writes() && mayCrash(owner) && choices.choose(2) == 1) {
      kill(owner);
    }
    if (move.writes()) { // it may have fenced somebody
      touched.addAll(owners);
    } else {
      touched.add(owner);
    }
  }

  /** What may happen next, in the order of ids. */
  private List<Move> moves() {
    look();
    List<Move> moves = new ArrayList<>();
    List<Actor> ready = world.ready();
    for (Actor actor : ready) {
      int owner = indexOf(actor.process);
      long id = Mix.of(owners.get(owner).heap(), actor.view());
      moves.add(Move.step(actor, owner, id));
    }
    for (int i = 0; i < network.lateCount(); i++) {
      Network.Late late = network.lateWrites().get(i);
      moves.add(Move.deliver(late, i, hash(late)));
    }
    for (int i = 0; !reduced && i < owners.size(); i++) {
      if (mayCrash(owners.get(i))) {
        moves.add(Move.kill(i));
      }
    }
    for (int i = 0; i < births.size(); i++) {
      moves.add(Move.birth(births.get(i), i, births.get(i).left()));
    }
    if (ready.isEmpty() && world.waitsForTime()) {
      moves.add(Move.time());
    }
    moves.sort(Comparator.comparingLong(Move::id));
    return moves;
  }

  private void look() {
    if (walk.isRepeating()) {
      long[] heaps = walk.heaps();
      for (int i = 0; i < heaps.length; i++) {
        owners.get(i).heap(heaps[i]);
      }
    } else {
      touched.forEach(owner -> owner.look(walk.lookWith(epoch())));
    }
    touched.clear();
  }

  private long[] heaps() {
    return owners.stream().mapToLong(WalkedOwner::heap).toArray();
  }

  private int indexOf(SimulatedProcess process) {
    int i = 0;
    while (owners.get(i).process() != process) {
      i++;
    }
    return i;
  }

  /**
   * The moves that must be walked from here, one bit each. When all that a process can do touches
   * no storage, nobody can tell what others did before it, and nobody else can do it for it or keep
   * it from it: then its moves are enough, and the others' follow.
   */
  private int preferred(List<Move> moves) {
    int[] steps = new int[owners.size()];
    int shared = 0;
    for (int i = 0; i < moves.size(); i++) {
      Move move = moves.get(i);
      if (move.kind() == Move.Kind.STEP) {
        steps[move.process()] |= 1 << i;
        shared |= move.isLocal() ? 0 : 1 << i;
      }
    }
    for (int own : steps) {
      if (reduced && own != 0 && (own & shared) == 0) {
        return own;
      }
    }
    return (1 << moves.size()) - 1;
  }

  private boolean mayCrash(WalkedOwner owner) {
    return changesLeft > 0 && !owner.isDead() && owner.left() > 0;
  }

  private void kill(WalkedOwner victim) {
    changesLeft--;
    births.add(victim);
    world.log("kill -9 " + victim.process().name());
    victim.process().kill();
    world.bury(victim.process());
  }

  /** An owner that was fenced takes the partition back, if this history has that. */
  boolean takesOver() {
    boolean takes = changesLeft > 0 && choices.choose(2) == 1;
    changesLeft -= takes ? 1 : 0;
    return takes;
  }

  private void birth(int commands) {
    SimulatedProcess process = new SimulatedProcess(world, "owner" + (owners.size() + 1));
    FaultyApp app = new FaultyApp(network, history, open(), world);
    WalkedOwner owner = new WalkedOwner(this, world, process, app, commands);
    owners.add(owner);
    touched.add(owner);
    world.spawn(process, "main", owner);
  }

  private IAppStorage open() {
    return store.open("app", Layout.of(1));
  }

  private Epoch epoch() {
    return reader.info().epoch();
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
      if (walk.isRepeating()) {
        checker.follow();
      } else {
        checker.checkInstant();
      }
    }
  }

  /** The store's rows, what every process holds or has seen, and what may still go wrong. */
  private long state() {
    long state = Mix.of(stored(), history.hash(checker.log()));
    walk.stored(state);
    state = reduced ? state : Mix.of(state, world.now());
    state = Mix.of(state, changesLeft * 31L + network.unknownLeft());
    long parts = 0;
    for (Network.Late late : network.lateWrites()) {
      parts += Mix.of(1, hash(late));
    }
    for (WalkedOwner dead : births) {
      parts += Mix.of(2, dead.left());
    }
    for (int i = 0; i < owners.size(); i++) {
      WalkedOwner owner = owners.get(i);
      if (!reduced) {
        parts += Mix.of(i, owner.process().seen());
      } else if (!owner.isDead()) {
        parts += Mix.of(3, owner.heap());
      }
    }
    return Mix.of(state, parts);
  }

  private long hash(Network.Late late) {
    long epochs = HeapHash.code(late.from(), epoch());
    return Mix.of(Mix.of(late.call().name().hashCode(), late.contents()), epochs);
  }

  private long stored() {
    long[] numbers = {0};
    reader.scanNumbers(
        (wsid, seqId, number) -> {
          numbers[0] += Mix.of(Mix.of(wsid, seqId), number);
          return true;
        });
    long rows = Mix.of(FaultyPartition.contents(checker.log()), reader.readNextPLogOffset());
    return Mix.of(rows, numbers[0]);
  }
}
