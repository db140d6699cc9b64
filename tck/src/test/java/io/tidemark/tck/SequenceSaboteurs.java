package io.tidemark.tck;

import static io.tidemark.tck.Saboteur.who;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.storage.memory.MemoryTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Ways to get the rows of SQL-like sequences wrong. */
final class SequenceSaboteurs {
  private SequenceSaboteurs() {}

  @SuppressWarnings("unchecked") // what was put under the name
  static List<Saboteur> all() {
    return List.of(
        who("does not fence a first claim of the sequences", "Q-5")
            .sequences(
                (app, real) ->
                    (ISequenceStorage<MemoryTransaction>)
                        app.memory.computeIfAbsent("first", unused -> real.get())),
        who("gives the id of a dropped sequence again", "Q-8")
            .beside("Q-12")
            .sequences(
                (app, real) ->
                    new DelegatingSequences(real.get()) {
                      @Override
                      public long create(MemoryTransaction tx, SequenceDefinition definition) {
                        long id = real.create(tx, definition);
                        Object dropped = app.memory.remove("dropped");
                        return dropped == null ? id : (Long) dropped;
                      }

                      @Override
                      public void drop(MemoryTransaction tx, long id) {
                        real.drop(tx, id);
                        app.memory.put("dropped", id);
                      }
                    }),
        who("gives two sequences one id", "Q-8")
            .beside("Q-5", "Q-9", "Q-10", "Q-11", "Q-12")
            .sequences(
                (app, real) ->
                    new DelegatingSequences(real.get()) {
                      @Override
                      public long create(MemoryTransaction tx, SequenceDefinition definition) {
                        return real.create(tx, definition) / 2 * 2;
                      }
                    }),
        who("puts values beside the caller's transaction", "Q-9")
            .beside("Q-5")
            .sequences(
                (app, real) ->
                    new DelegatingSequences(real.get()) {
                      @Override
                      public void put(MemoryTransaction tx, long id, VersionedValue value) {
                        real.transact(own -> real.put(own, id, value));
                      }
                    }),
        who("keeps values in the claim", "Q-9")
            .beside("Q-5", "Q-10")
            .sequences((app, real) -> new KeepsValues(real.get())),
        who("lets the last version win", "Q-10", "Q-11").sequences(LastVersionWins::new),
        who("lets one transaction at a time put", "Q-10")
            .sequences((app, real) -> new OneAtATime(real.get())),
        who("answers a version before one was put", "Q-11")
            .beside("Q-10")
            .sequences(
                (app, real) ->
                    new DelegatingSequences(real.get()) {
                      @Override
                      public VersionedValue getLatest(long id) {
                        VersionedValue latest = real.getLatest(id);
                        return latest.version() > 0
                            ? latest
                            : new VersionedValue(1, latest.value(), false);
                      }
                    }),
        who("takes a second value under the same version", "Q-10")
            .sequences(
                (app, real) ->
                    new DelegatingSequences(real.get()) {
                      @Override
                      public void put(MemoryTransaction tx, long id, VersionedValue value) {
                        if (value.value() == 99) {
                          app.memory.put("again" + id, value);
                        }
                        real.put(tx, id, value);
                      }

                      @Override
                      public VersionedValue getLatest(long id) {
                        Object again = app.memory.get("again" + id);
                        return again == null ? real.getLatest(id) : (VersionedValue) again;
                      }
                    }),
        who("keeps a definition that was altered", "Q-12")
            .sequences(
                (app, real) ->
                    new DelegatingSequences(real.get()) {
                      @Override
                      public void alter(
                          MemoryTransaction tx, long id, SequenceDefinition definition) {
                        tx.isOpen();
                      }
                    }));
  }

  private static final class KeepsValues extends DelegatingSequences {
    private final Map<Long, VersionedValue> kept = new ConcurrentHashMap<>();

    KeepsValues(ISequenceStorage<MemoryTransaction> real) {
      super(real);
    }

    @Override
    public void put(MemoryTransaction tx, long id, VersionedValue value) {
      real.put(tx, id, new VersionedValue(1, 0, true));
      kept.merge(id, value, (a, b) -> a.version() >= b.version() ? a : b);
    }

    @Override
    public VersionedValue getLatest(long id) {
      VersionedValue value = kept.get(id);
      return value == null ? real.getLatest(id) : value;
    }
  }

  private static final class LastVersionWins extends DelegatingSequences {
    private final SabotagedApp app;

    LastVersionWins(SabotagedApp app, Supplier<ISequenceStorage<MemoryTransaction>> real) {
      super(real.get());
      this.app = app;
    }

    @Override
    public void transact(Consumer<MemoryTransaction> work) {
      List<Runnable> after = new ArrayList<>();
      PENDING.set(after);
      try {
        real.transact(work);
        after.forEach(Runnable::run);
      } finally {
        PENDING.remove();
      }
    }

    private static final ThreadLocal<List<Runnable>> PENDING =
        ThreadLocal.withInitial(ArrayList::new);

    @Override
    public void put(MemoryTransaction tx, long id, VersionedValue value) {
      real.put(tx, id, value);
      PENDING.get().add(() -> app.memory.put("last" + id, value));
    }

    @Override
    public VersionedValue getLatest(long id) {
      Object last = app.memory.get("last" + id);
      return last == null ? real.getLatest(id) : (VersionedValue) last;
    }
  }

  private static final class OneAtATime extends DelegatingSequences {
    private final AtomicReference<MemoryTransaction> holder = new AtomicReference<>();

    OneAtATime(ISequenceStorage<MemoryTransaction> real) {
      super(real);
    }

    @Override
    public void transact(Consumer<MemoryTransaction> work) {
      MemoryTransaction[] own = new MemoryTransaction[1];
      try {
        real.transact(
            tx -> {
              own[0] = tx;
              work.accept(tx);
            });
      } finally {
        holder.compareAndSet(own[0], null);
      }
    }

    @Override
    public void put(MemoryTransaction tx, long id, VersionedValue value) {
      if (!holder.compareAndSet(null, tx) && holder.get() != tx) {
        throw new StorageUnavailableException("another transaction has put a value");
      }
      real.put(tx, id, value);
    }
  }
}
