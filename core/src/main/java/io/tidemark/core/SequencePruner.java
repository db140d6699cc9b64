package io.tidemark.core;

import io.tidemark.spi.ISequenceStorage;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Has a storage delete the registrations nobody needs any more, in the background, after every so
 * many of a sequence. What fails is tried again after as many more.
 */
final class SequencePruner<T> {
  private static final Logger LOG = System.getLogger(SequencePruner.class.getName());

  private final ISequenceStorage<T> storage;
  private final Environment environment;
  private final int every;
  private final Map<Long, AtomicInteger> registered = new ConcurrentHashMap<>();
  private volatile boolean closed;

  SequencePruner(ISequenceStorage<T> storage, Environment environment, int every) {
    this.storage = storage;
    this.environment = environment;
    this.every = every;
  }

  void registered(long id) {
    AtomicInteger count = registered.computeIfAbsent(id, unused -> new AtomicInteger());
    // Only the one who reaches the number starts the work, and counting begins again at its end.
    if (count.incrementAndGet() == every) {
      // Not on the flushing lane: a slow delete must never hold up the numbers of partitions.
      environment.execute(Environment.Lane.RETRY, () -> prune(id, count));
    }
  }

  private void prune(long id, AtomicInteger count) {
    try {
      if (!closed) {
        storage.prune(id);
      }
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, () -> "pruning sequence " + id + " is put off", e);
    } finally {
      count.set(0);
    }
  }

  void forget(long id) {
    registered.remove(id);
  }

  void close() {
    closed = true;
  }
}
