package io.tidemark.simulation;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.SeqValues;
import io.tidemark.storage.memory.MemoryStore;
import io.tidemark.storage.memory.Outcome;
import io.tidemark.storage.memory.StorageCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Between the owners and the store: each call is two steps, there and back, and may go wrong. */
final class Network {
  private static final Outcome[] WRITES = {
    Outcome.REFUSED,
    Outcome.UNKNOWN_APPLIED,
    Outcome.UNKNOWN_LOST,
    Outcome.UNKNOWN_LATER,
    Outcome.DUPLICATED
  };

  /** Of a walk: what arrives late may arrive at once, so that needs no outcome of its own. */
  private static final Outcome[] UNKNOWN = {Outcome.UNKNOWN_LOST, Outcome.UNKNOWN_LATER};

  private final World world;
  private final MemoryStore store;
  private final Runnable written;
  private final List<Runnable> late = new ArrayList<>();
  private int faultsPerMille;
  private boolean full;
  private boolean bad;
  private boolean exhaustive;
  private int unknownLeft;
  private Supplier<Epoch> epoch = () -> Epoch.NONE;
  private final List<Late> lateWrites = new ArrayList<>();

  Network(World world, MemoryStore store, Scope scope, Runnable written) {
    this.world = world;
    this.store = store;
    this.faultsPerMille = scope.faultsPerMille();
    this.full = scope.full();
    this.bad = scope.bad();
    this.written = written;
  }

  /** From now on a call is one step, and this many writes of the log have no clear outcome. */
  void walkWith(int unknownOutcomes, Supplier<Epoch> epoch) {
    exhaustive = true;
    this.epoch = epoch;
    unknownLeft = unknownOutcomes;
  }

  /** How many late writes may arrive now. */
  int lateCount() {
    return store.lateCount();
  }

  /** The late writes of a walk, in the order of the store's. */
  List<Late> lateWrites() {
    return lateWrites;
  }

  int unknownLeft() {
    return unknownLeft;
  }

  /** No call goes wrong from now on, and what was on its way arrives. */
  void calm() {
    faultsPerMille = 0;
    full = false;
    store.deliverLate();
    late.forEach(Runnable::run);
    late.clear();
    written.run();
  }

  /** Partition 0 takes numbers again. */
  void heal() {
    bad = false;
  }

  /** No write that has numbers of a bad partition is taken. */
  void refuseIfBad(int partition) {
    if (bad && partition == 0) {
      world.step();
      world.log("partition 0 takes no numbers");
      throw new StorageUnavailableException("partition 0 takes no numbers");
    }
  }

  /** One write that was on its way arrives, if there is one. */
  void deliverOne() {
    int ofStore = store.lateCount();
    int all = ofStore + late.size();
    if (all > 0) {
      int which = world.choices().choose(all);
      world.log("late write " + which + " arrives");
      if (which < ofStore) {
        store.deliverLate(which);
      } else {
        late.remove(which - ofStore).run();
      }
      written.run();
    }
  }

  /** This late write arrives. */
  void deliver(int which) {
    world.log("late write " + which + " arrives");
    lateWrites.remove(which);
    store.deliverLate(which);
    written.run();
  }

  /**
   * What a write carries, should it arrive late.
   *
   * @param call its kind
   * @param from the epoch it was sent with, or the one it is to replace
   * @param contents stands for its rows
   */
  record Late(StorageCall call, Epoch from, long contents) {
    static Late of(StorageCall call) {
      return new Late(call, Epoch.NONE, 0);
    }
  }

  void write(StorageCall call, Runnable request) {
    write(Late.of(call), request);
  }

  void write(Late what, Runnable request) {
    answered(
        what,
        () -> {
          request.run();
          return what;
        });
  }

  /** A write that answers something. */
  <T> T answered(Late what, Supplier<T> request) {
    StorageCall call = what.call;
    step(call, what.contents);
    Outcome outcome = outcome(call);
    if (outcome == Outcome.UNKNOWN_LATER && exhaustive) {
      lateWrites.add(call == StorageCall.CLAIM ? new Late(call, epoch.get(), 0) : what);
    }
    if (outcome != Outcome.APPLIED) {
      store.outcomes().script(call, outcome);
    }
    world.log(call + " " + outcome);
    return asked(
        () -> {
          try {
            return request.get();
          } finally {
            store.outcomes().clear();
            written.run();
          }
        });
  }

  private Outcome outcome(StorageCall call) {
    if (full && call == StorageCall.WRITE_SEQ_DATA) {
      return Outcome.REFUSED;
    }
    if (unknownLeft > 0 && call != StorageCall.WRITE_SEQ_DATA) {
      int chosen = world.choices().choose(UNKNOWN.length + 1);
      if (chosen > 0) {
        unknownLeft--;
        return UNKNOWN[chosen - 1];
      }
    }
    return goesWrong() ? WRITES[world.choices().choose(WRITES.length)] : Outcome.APPLIED;
  }

  /** Waits for its turn, and tells what the turn is for. */
  private void step(StorageCall call, long carried) {
    Actor actor = world.running();
    if (actor != null) {
      actor.call(call, carried);
    }
    world.step();
    if (actor != null) {
      actor.called();
    }
  }

  <T> T read(StorageCall call, Supplier<T> request) {
    return read(call, 0, request);
  }

  /** A read; {@code what} stands for what is asked. */
  <T> T read(StorageCall call, long what, Supplier<T> request) {
    step(call, what);
    if (goesWrong()) {
      store.outcomes().script(call, Outcome.REFUSED);
      world.log(call + " REFUSED");
    }
    return asked(
        () -> {
          try {
            T answer = request.get();
            world.log(call + " answered");
            return answer;
          } finally {
            store.outcomes().clear();
          }
        });
  }

  /** The answer is a step of its own, unless all interleavings are walked: the next call is one. */
  private <T> T asked(Supplier<T> request) {
    try {
      T answer = request.get();
      world.observed(answer instanceof long[] numbers ? Arrays.hashCode(numbers) : hash(answer));
      return answer;
    } catch (RuntimeException e) {
      world.observed(e.getClass().getName().hashCode());
      throw e;
    } finally {
      if (!exhaustive) {
        world.step();
      }
    }
  }

  private static int hash(Object answer) {
    return answer instanceof Number number ? number.hashCode() : 1;
  }

  /** A write with a condition. */
  @FunctionalInterface
  interface Request {
    /** Answers whether the condition held. */
    boolean apply();
  }

  /** A write to a store that is not the memory store's, with the same outcomes. */
  boolean unreliable(String what, Request request) {
    world.step();
    Outcome outcome = goesWrong() ? WRITES[world.choices().choose(WRITES.length)] : Outcome.APPLIED;
    world.log(what + " " + outcome);
    try {
      return switch (outcome) {
        case REFUSED -> throw new StorageUnavailableException(what + " was refused");
        case UNKNOWN_LOST -> throw new OutcomeUnknownException(what + " has no answer");
        case UNKNOWN_APPLIED -> {
          request.apply();
          throw new OutcomeUnknownException(what + " has no answer");
        }
        case UNKNOWN_LATER -> {
          late.add(request::apply);
          throw new OutcomeUnknownException(what + " has no answer");
        }
        case DUPLICATED -> {
          late.add(request::apply);
          yield request.apply();
        }
        default -> request.apply();
      };
    } finally {
      written.run();
      world.step();
    }
  }

  /** A read of a store that is not the memory store's. */
  <T> T read(String what, Supplier<T> request) {
    world.step();
    if (goesWrong()) {
      world.log(what + " REFUSED");
      throw new StorageUnavailableException(what + " was refused");
    }
    T answer = request.get();
    world.step();
    return answer;
  }

  /** A process reads an event. */
  void saw(SeqValues values, long offset) {
    int hash = Long.hashCode(offset);
    for (int i = 0; i < values.size(); i++) {
      hash = hash * 31 + Long.hashCode(values.number(i));
    }
    world.observed(hash);
  }

  void step() {
    if (!exhaustive) {
      world.step();
    }
  }

  /** Whether a batch is to be written in part. */
  boolean isTorn() {
    return faultsPerMille > 0 && world.choices().chance(1, 20);
  }

  SeqValues someOf(SeqValues batch) {
    SeqValues part = new SeqValues();
    for (int i = 0; i < batch.size(); i++) {
      if (world.choices().chance(1, 2)) {
        part.add(batch.wsid(i), batch.seqId(i), batch.number(i));
      }
    }
    return part;
  }

  OutcomeUnknownException torn() {
    return new OutcomeUnknownException("the batch was written in part");
  }

  private boolean goesWrong() {
    return faultsPerMille > 0 && world.choices().chance(faultsPerMille, 1000);
  }
}
