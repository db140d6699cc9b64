package io.tidemark.core;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequencerStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Interleavings of single memory accesses, chosen by a model checker; in a JVM of its own. */
final class ConcurrencyLincheckTest {
  private static final int ITERATIONS = Integer.getInteger("tidemark.lincheck.iterations", 5);
  private static final int INVOCATIONS = Integer.getInteger("tidemark.lincheck.invocations", 200);

  private static ModelCheckingOptions options(int threads, int actors) {
    return new ModelCheckingOptions()
        .iterations(ITERATIONS)
        .invocationsPerIteration(INVOCATIONS)
        .threads(threads)
        .actorsPerThread(actors)
        .actorsBefore(0)
        .actorsAfter(1);
  }

  /** Of two verbs that overlap at least one fails. */
  public static class Guarded {
    private final CallerGuard guard = new CallerGuard();
    private final AtomicInteger inside = new AtomicInteger();
    private volatile boolean overlapped;
    private volatile boolean detected;

    /** For Lincheck. */
    public Guarded() {}

    /** One verb. */
    @Operation
    public void verb() {
      try {
        long caller = guard.enter();
        if (inside.incrementAndGet() > 1) {
          overlapped = true;
        }
        inside.decrementAndGet();
        guard.exit(caller);
      } catch (IllegalStateException e) {
        detected = true;
      }
    }

    /** Nothing overlaps unseen. */
    @Validate
    public void overlapIsDetected() {
      if (overlapped && !detected) {
        throw new IllegalStateException("two verbs overlapped and both passed");
      }
    }
  }

  @Test
  @Tag("E-1")
  void callerGuard_whateverTheInterleaving_detectsAnOverlap() {
    options(2, 1).check(Guarded.class);
  }

  /** A plain counter under the lock. */
  public static class Locked {
    private final ShortLock lock = new ShortLock();
    private int counter;

    /** For Lincheck. */
    public Locked() {}

    /** Counts. */
    @Operation
    public int count() {
      lock.lock();
      try {
        counter++;
        return counter;
      } finally {
        lock.unlock();
      }
    }

    /** Counts if nobody is inside. */
    @Operation
    public boolean isFree() {
      if (lock.tryLock()) {
        lock.unlock();
      }
      return true;
    }
  }

  @Test
  void shortLock_whateverTheInterleaving_excludes() {
    options(2, 2).check(Locked.class);
  }

  /** A caller, a flusher and somebody who looks at the status. */
  public static class Sequenced {
    private final Tasks tasks = new Tasks();
    private final ISequencer sequencer =
        Sequencers.over(
            new Nowhere(), SequencerConfig.of(Fixture.TYPES), CacheBudget.of(10), tasks);

    /** For Lincheck. */
    public Sequenced() {
      tasks.runAll();
    }

    /** One transaction. */
    @Operation(nonParallelGroup = "caller")
    public long order() {
      sequencer.start(Fixture.KIND, 7);
      long number = sequencer.next(Fixture.ORDERS);
      sequencer.flush();
      return number;
    }

    /** What the status says of the offset: it never runs ahead of the numbers. */
    @Operation
    public long nextOffset() {
      SequencerStatus status = sequencer.status();
      return status.nextOffset();
    }

    /** Everything that waits is written. */
    @Operation(nonParallelGroup = "flusher")
    public void flushAll() {
      tasks.runAll();
    }
  }

  @Test
  @Tag("E-2")
  void sequencer_withAFlusherAndAWatcher_isLinearizable() {
    options(3, 2).check(Sequenced.class);
  }

  /** Runs what it is given when told to; timers are due at once. */
  private static final class Tasks implements Environment {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

    void runAll() {
      for (Runnable task = poll(); task != null; task = poll()) {
        task.run();
      }
    }

    private synchronized @Nullable Runnable poll() {
      return tasks.poll();
    }

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public synchronized void execute(Lane lane, Runnable task) {
      tasks.add(task);
    }

    @Override
    public Timer schedule(Duration delay, Lane lane, Runnable task) {
      execute(lane, task);
      return () -> {};
    }

    @Override
    public Signal newSignal() {
      AtomicInteger count = new AtomicInteger();
      return new Signal() {
        @Override
        public long ticket() {
          return count.get();
        }

        @Override
        public void raise() {
          count.incrementAndGet();
        }

        @Override
        public void await(long ticket, long nanos) {}
      };
    }

    @Override
    public UUID randomId() {
      return new UUID(1, 1);
    }

    @Override
    public double random() {
      return 0.5;
    }
  }
}
