package io.tidemark.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that begin together; what one of them throws reaches the rule. */
final class Crew {
  private static final long PATIENCE_SECONDS = 120;

  private final List<Runnable> tasks = new ArrayList<>();

  Crew add(Runnable task) {
    tasks.add(task);
    return this;
  }

  /** Runs every task on a thread of its own and waits for all of them. */
  void work() {
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (Runnable task : tasks) {
        futures.add(
            threads.submit(
                () -> {
                  await(start);
                  task.run();
                }));
      }
      start.countDown();
      for (Future<?> future : futures) {
        join(future);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void join(Future<?> future) {
    try {
      future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new AssertionError("a thread of the rule failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("a thread of the rule hung for " + PATIENCE_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("another thread of the rule hung");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Waits a little for what may never come; the rule holds either way. */
  static boolean awaitBriefly(CountDownLatch latch) {
    try {
      return latch.await(300, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
