package io.tidemark.simulation;

import io.tidemark.storage.memory.MemoryStore;
import io.tidemark.storage.memory.Outcome;
import io.tidemark.storage.memory.StorageCall;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Between processes and the store: each call is two steps, there and back, and may go wrong. */
final class PipelineWire {
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

  PipelineWire(World world, MemoryStore store, int faultsPerMille, Runnable written) {
    this.world = world;
    this.store = store;
    this.faultsPerMille = faultsPerMille;
    this.written = written;
  }

  /** No call goes wrong from now on, and what was on its way arrives. */
  void calm() {
    faultsPerMille = 0;
    store.deliverLate();
    written.run();
  }

  /** One write that was on its way arrives, if there is one. */
  void deliverOne() {
    int late = store.lateCount();
    if (late > 0) {
      store.deliverLate(world.choices().choose(late));
      world.log("a late write arrives");
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

  <T> T answered(StorageCall call, Supplier<T> request) {
    world.step();
    Outcome outcome = Outcome.APPLIED;
    if (goesWrong()) {
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

  <T extends @Nullable Object> T read(StorageCall call, Supplier<T> request) {
    world.step();
    if (goesWrong()) {
      store.outcomes().script(call, Outcome.REFUSED);
      world.log(call + " REFUSED");
    }
    try {
      return request.get();
    } finally {
      store.outcomes().clear();
      world.step();
    }
  }

  private boolean goesWrong() {
    return faultsPerMille > 0 && world.choices().chance(faultsPerMille, 1000);
  }
}
