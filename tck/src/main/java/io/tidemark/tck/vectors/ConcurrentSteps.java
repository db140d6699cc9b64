package io.tidemark.tck.vectors;

import io.tidemark.api.ISequence;
import io.tidemark.api.SequenceExhaustedException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.ISequenceStorage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** The steps that many threads do at once; each thread keeps what it saw, compared at the end. */
final class ConcurrentSteps {
  private static final long PATIENCE_SECONDS = 300;

  /** Every so many draws one is made durable, so that commits overlap as well. */
  private static final int DURABLE_EVERY = 25;

  private static final long SEED = 4;

  private ConcurrentSteps() {}

  static Answer draw(ISequence<?> sequence, Operation operation) {
    int draws = (int) operation.number("perThread");
    List<List<Long>> byThread =
        together((int) operation.number("threads"), unused -> draw(sequence, draws));
    List<Long> all = new ArrayList<>();
    byThread.forEach(all::addAll);
    Map<Long, Integer> times = new HashMap<>();
    all.forEach(number -> times.merge(number, 1, Integer::sum));

    Map<String, Object> given = new LinkedHashMap<>();
    given.put("drawn", (long) all.size());
    given.put("failed", (long) byThread.size() * draws - all.size());
    given.put("distinct", (long) times.size());
    if (!all.isEmpty()) {
      given.put("min", Collections.min(all));
      given.put("max", Collections.max(all));
    }
    boolean up = sequence.definition().increment() > 0;
    given.put("perThreadMonotonic", byThread.stream().allMatch(seen -> isStrict(seen, up)));
    if (times.values().stream().distinct().count() == 1) {
      given.put("eachTimes", (long) times.values().iterator().next());
    }
    return new Answer(given);
  }

  private static List<Long> draw(ISequence<?> sequence, int draws) {
    List<Long> drawn = new ArrayList<>(draws);
    for (int i = 1; i <= draws; i++) {
      try {
        drawn.add(i % DURABLE_EVERY == 0 ? sequence.nextDurable() : sequence.next());
      } catch (SequenceExhaustedException counted) {
        // As failed: it is missing from the list.
      }
    }
    return drawn;
  }

  private static boolean isStrict(List<Long> seen, boolean up) {
    for (int i = 1; i < seen.size(); i++) {
      if (up ? seen.get(i) <= seen.get(i - 1) : seen.get(i) >= seen.get(i - 1)) {
        return false;
      }
    }
    return true;
  }

  /** Puts all versions of a range, shuffled, one transaction each; one more thread reads. */
  static <T> Answer put(
      ISequenceStorage<T> storage, long id, Operation operation, boolean andRead) {
    List<Long> versions = new ArrayList<>();
    for (long v = operation.number("fromVersion"); v <= operation.number("toVersion"); v++) {
      versions.add(v);
    }
    Collections.shuffle(versions, new Random(SEED));
    long factor = operation.text("valueOf").equals("version") ? 1 : 10;
    int threads = (int) operation.number("threads");
    AtomicInteger next = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(threads);
    List<Boolean> monotone =
        together(
            andRead ? threads + 1 : threads,
            thread -> {
              if (thread == threads) {
                return readsNeverGoBack(storage, id, done);
              }
              try {
                for (int i = next.getAndIncrement();
                    i < versions.size();
                    i = next.getAndIncrement()) {
                  long version = versions.get(i);
                  VersionedValue value = new VersionedValue(version, version * factor, true);
                  storage.transact(handle -> storage.put(handle, id, value));
                }
                return true;
              } finally {
                done.countDown();
              }
            });
    return andRead ? new Answer(Map.of("monotonicReads", !monotone.contains(false))) : Answer.OK;
  }

  private static boolean readsNeverGoBack(
      ISequenceStorage<?> storage, long id, CountDownLatch done) {
    long seen = 0;
    while (done.getCount() > 0) {
      long version = storage.getLatest(id).version();
      if (version < seen) {
        return false;
      }
      seen = version;
    }
    return true;
  }

  private interface Work<R> {
    R of(int thread);
  }

  private static <R> List<R> together(int threads, Work<R> work) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CountDownLatch gate = new CountDownLatch(threads);
      List<Future<R>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        Callable<R> task =
            () -> {
              gate.countDown();
              gate.await();
              return work.of(thread);
            };
        running.add(pool.submit(task));
      }
      List<R> answers = new ArrayList<>();
      for (Future<R> each : running) {
        answers.add(each.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
      }
      return answers;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    } catch (TimeoutException e) {
      throw new OpenTransaction.NoAnswerException(PATIENCE_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OpenTransaction.NoAnswerException(0);
    } finally {
      pool.shutdownNow();
    }
  }
}
