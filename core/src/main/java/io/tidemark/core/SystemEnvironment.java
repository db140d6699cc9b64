package io.tidemark.core;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Real time; virtual threads where the JVM has them, else small pools that shrink to nothing. */
final class SystemEnvironment implements Environment {
  private static final int FLUSH_THREADS = 2;
  private static final int RETRY_THREADS = 2;
  private static final int REPLAY_THREADS = 3;
  private static final int COMMAND_THREADS =
      Math.max(4, 2 * Runtime.getRuntime().availableProcessors());

  /** Between two tries to start a thread. */
  private static final long NO_THREAD_NANOS = 100_000_000;

  /** About as long as waking a thread takes. */
  private static final long LINGER_NANOS = 50_000;

  /** After the constants it is made with. */
  static final SystemEnvironment SHARED = new SystemEnvironment();

  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, daemons("tidemark-timer"));
  private final Executor flush = lane("tidemark-flush", FLUSH_THREADS);
  private final Executor retry = lane("tidemark-retry", RETRY_THREADS);
  private final Executor replay = lane("tidemark-replay", REPLAY_THREADS);
  private final Executor command = lane("tidemark-command", COMMAND_THREADS);
  private final Executor subscriber = lane("tidemark-subscriber", COMMAND_THREADS);

  private SystemEnvironment() {
    timer.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void execute(Lane lane, Runnable task) {
    executor(lane).execute(task);
  }

  /** Nobody hears what a timer's thread throws, so a task waits until a thread can be started. */
  private void executeOrLater(Lane lane, Runnable task) {
    try {
      execute(lane, task);
    } catch (OutOfMemoryError e) {
      Future<?> ignored =
          timer.schedule(() -> executeOrLater(lane, task), NO_THREAD_NANOS, TimeUnit.NANOSECONDS);
    }
  }

  private Executor executor(Lane lane) {
    return switch (lane) {
      case FLUSH -> flush;
      case RETRY -> retry;
      case REPLAY -> replay;
      case COMMAND -> command;
      case SUBSCRIBER -> subscriber;
    };
  }

  @Override
  public Timer schedule(Duration delay, Lane lane, Runnable task) {
    Future<?> future =
        timer.schedule(() -> executeOrLater(lane, task), Nanos.of(delay), TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  @Override
  public boolean linger(Lane lane, BooleanSupplier condition) {
    Executor executor = executor(lane);
    long began = System.nanoTime();
    while (!isAwaited(executor)) {
      if (condition.getAsBoolean()) {
        return true;
      }
      if (System.nanoTime() - began > LINGER_NANOS) {
        return false;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /** Whether a task waits for one of the threads; virtual ones are never waited for. */
  private static boolean isAwaited(Executor executor) {
    return executor instanceof ThreadPoolExecutor pool && !pool.getQueue().isEmpty();
  }

  @Override
  public Signal newSignal() {
    return new ConditionSignal();
  }

  @Override
  public UUID randomId() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new UUID(random.nextLong(), random.nextLong());
  }

  @Override
  public double random() {
    return ThreadLocalRandom.current().nextDouble();
  }

  private static Executor lane(String name, int threads) {
    ExecutorService virtual = virtualThreads();
    if (virtual != null) {
      return virtual;
    }
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads, threads, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons(name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static @Nullable ExecutorService virtualThreads() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("this JVM has virtual threads but refuses them", e);
    }
  }

  private static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** An event count on a lock and condition. */
  private static final class ConditionSignal implements Signal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private volatile long count;

    @Override
    public long ticket() {
      return count;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // only written under the lock
    public void raise() {
      lock.lock();
      try {
        count++;
        raised.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void await(long ticket, long nanos) {
      long left = nanos;
      lock.lock();
      try {
        while (count == ticket && left > 0) {
          left = raised.awaitNanos(left);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        lock.unlock();
      }
    }
  }
}
