package io.tidemark.simulation;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageUnavailableException;
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

  private static final Outcome[] UNKNOWN = {
    Outcome.UNKNOWN_APPLIED, Outcome.UNKNOWN_LOST, Outcome.UNKNOWN_LATER
  };

  private final World world;
  private final MemoryStore store;
  private final Runnable written;
  private final List<Runnable> late = new ArrayList<>();
  private int faultsPerMille;
  private boolean full;
  private boolean exhaustive;
  private int unknownLeft;
  private long delivered;

  Network(World world, MemoryStore store, Scope scope, Runnable written) {
    this.world = world;
    this.store = store;
    this.faultsPerMille = scope.faultsPerMille();
    this.full = scope.full();
    this.written = written;
  }

  /** From now on a call is one step, and this many writes of the log have no clear outcome. */
  void walkWith(int unknownOutcomes) {
    exhaustive = true;
    unknownLeft = unknownOutcomes;
  }

  /** How many late writes may arrive now. */
  int lateCount() {
    return store.lateCount();
  }

  /** Stands for what the network may still do. */
  long hash() {
    return delivered * 31 + unknownLeft;
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

  /** One write that was on its way arrives, if there is one. */
  void deliverOne() {
    int ofStore = store.lateCount();
    int all = ofStore + late.size();
    if (all > 0) {
      int which = world.choices().choose(all);
      world.log("late write " + which + " arrives");
      delivered = delivered * 31 + which + 1;
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
    delivered = delivered * 31 + which + 1;
    store.deliverLate(which);
    written.run();
  }

  void write(StorageCall call, Runnable request) {
    answered(
        call,
        () -> {
          request.run();
          return call;
        });
  }

  /** A write that answers something. */
  <T> T answered(StorageCall call, Supplier<T> request) {
    world.step();
    Outcome outcome = outcome(call);
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

  <T> T read(StorageCall call, Supplier<T> request) {
    world.step();
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
