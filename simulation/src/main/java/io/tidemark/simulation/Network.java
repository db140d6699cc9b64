package io.tidemark.simulation;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.spi.SeqValues;
import io.tidemark.storage.memory.MemoryStore;
import io.tidemark.storage.memory.Outcome;
import io.tidemark.storage.memory.StorageCall;
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

  private final World world;
  private final MemoryStore store;
  private final Runnable written;
  private int faultsPerMille;
  private boolean full;

  Network(World world, MemoryStore store, Scope scope, Runnable written) {
    this.world = world;
    this.store = store;
    this.faultsPerMille = scope.faultsPerMille();
    this.full = scope.full();
    this.written = written;
  }

  /** No call goes wrong from now on, and what was on its way arrives. */
  void calm() {
    faultsPerMille = 0;
    full = false;
    store.deliverLate();
    written.run();
  }

  /** One write that was on its way arrives, if there is one. */
  void deliverOne() {
    int late = store.lateCount();
    if (late > 0) {
      int which = world.choices().choose(late);
      world.log("late write " + which + " arrives");
      store.deliverLate(which);
      written.run();
    }
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
    Outcome outcome = Outcome.APPLIED;
    if (full && call == StorageCall.WRITE_SEQ_DATA) {
      outcome = Outcome.REFUSED;
      store.outcomes().script(call, outcome);
    } else if (goesWrong()) {
      outcome = WRITES[world.choices().choose(WRITES.length)];
      store.outcomes().script(call, outcome);
    }
    world.log(call + " " + outcome);
    try {
      return request.get();
    } finally {
      store.outcomes().clear();
      written.run();
      world.step();
    }
  }

  <T> T read(StorageCall call, Supplier<T> request) {
    world.step();
    if (goesWrong()) {
      store.outcomes().script(call, Outcome.REFUSED);
      world.log(call + " REFUSED");
    }
    try {
      T answer = request.get();
      world.log(call + " answered");
      return answer;
    } finally {
      store.outcomes().clear();
      world.step();
    }
  }

  void step() {
    world.step();
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
