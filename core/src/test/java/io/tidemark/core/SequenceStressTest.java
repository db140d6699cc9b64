package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ISequence;
import io.tidemark.api.ISequences;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceExhaustedException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.ISequenceStorage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many threads draw and change at once; each keeps what it saw, and the history is judged when all
 * have ended: every version is there once, each number follows from the version before, and what
 * ended before something else began has the lower version.
 */
class SequenceStressTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 20_000;
  private static final int PLAIN_DRAWS = 1_000_000;
  private static final int REFUSED = 1000;

  /** What one call did, between two ticks of a shared clock. */
  private record Call(long began, long ended, long number) {}

  /** A registered value and whether a change, not a draw, registered it. */
  private record Registered(VersionedValue value, boolean change) {}

  /** Keeps every registration; the transaction says whether a change or a draw makes it. */
  private static final class Recorder implements ISequenceStorage<Boolean> {
    final Queue<Registered> registered = new ConcurrentLinkedQueue<>();
    volatile SequenceDefinition definition;

    Recorder(SequenceDefinition definition) {
      this.definition = definition;
    }

    @Override
    public Class<Boolean> transactionType() {
      return Boolean.class;
    }

    @Override
    public void transact(Consumer<Boolean> work) {
      work.accept(true);
    }

    @Override
    public long create(Boolean transaction, SequenceDefinition created) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void alter(Boolean transaction, long id, SequenceDefinition altered) {
      definition = altered;
    }

    @Override
    public void drop(Boolean transaction, long id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<CatalogEntry> catalog() {
      return List.of(new CatalogEntry(1, definition));
    }

    @Override
    public void put(Boolean transaction, long id, VersionedValue value) {
      registered.add(new Registered(value, transaction));
    }

    @Override
    public VersionedValue getLatest(long id) {
      return new VersionedValue(0, definition.start(), false);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, -3, 7})
  @Tag("I18")
  void drawsAndChanges_byManyThreads_areOneHistory(long increment) throws Exception {
    SequenceDefinition definition =
        SequenceDefinition.named("s")
            .min(-1L << 60)
            .max(1L << 60)
            .start(0L)
            .increment(increment)
            .build();
    Recorder storage = new Recorder(definition);
    try (ISequences<Boolean> sequences =
        Sequences.over(storage, SequencesConfig.defaults(), new ManualEnvironment())) {
      ISequence<Boolean> sequence = sequences.open("s");
      AtomicLong clock = new AtomicLong();
      List<Call> calls = together(thread -> work(sequence, increment, clock, thread));

      List<Registered> byVersion = new ArrayList<>(storage.registered);
      byVersion.sort(Comparator.comparingLong(each -> each.value().version()));
      long version = 0;
      long number = 0;
      for (Registered each : byVersion) {
        assertThat(each.value().version()).as("every version once").isEqualTo(++version);
        if (!each.change()) {
          assertThat(each.value().value())
              .as("version %d", version)
              .isEqualTo(version == 1 ? 0 : number + increment);
        }
        number = each.value().value();
      }
      assertThat(calls).as("draws").hasSize(THREADS * ROUNDS);
      requireRealTimeOrder(calls, increment);
    }
  }

  /** One thread in the middle also jumps ahead, so that numbers stay in order all the while. */
  private static List<Call> work(
      ISequence<Boolean> sequence, long increment, AtomicLong clock, int thread) {
    List<Call> calls = new ArrayList<>(ROUNDS);
    for (int i = 0; i < ROUNDS; i++) {
      long began = clock.getAndIncrement();
      long number = sequence.next(false);
      calls.add(new Call(began, clock.getAndIncrement(), number));
      if (thread == 0 && i % 100 == 99) {
        // Past all that can be drawn in the meantime.
        sequence.set(number + increment * THREADS * ROUNDS, true);
      }
    }
    return calls;
  }

  private static void requireRealTimeOrder(List<Call> calls, long increment) {
    List<Call> byEnd = new ArrayList<>(calls);
    byEnd.sort(Comparator.comparingLong(Call::ended));
    List<Call> byBegin = new ArrayList<>(calls);
    byBegin.sort(Comparator.comparingLong(Call::began));
    int sign = Long.signum(increment);
    long furthest = Long.MIN_VALUE;
    int ended = 0;
    for (Call call : byBegin) {
      for (; byEnd.get(ended).ended() < call.began(); ended++) {
        furthest = Math.max(furthest, sign * byEnd.get(ended).number());
      }
      if (furthest != Long.MIN_VALUE) {
        assertThat(sign * call.number())
            .as("%s after something at %d had ended", call, sign * furthest)
            .isGreaterThanOrEqualTo(furthest + sign * increment);
      }
    }
  }

  /** So many that two threads meet between a read and a write, were there such a thing. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("I17")
  void plainDraws_toTheEndOfTheRange_areEachNumberOnce(boolean cycle) throws Exception {
    int range = THREADS * PLAIN_DRAWS / (cycle ? 2 : 1) - (cycle ? 0 : REFUSED);
    SequenceDefinition definition =
        SequenceDefinition.named("s").max((long) range).cycle(cycle).build();
    try (ISequences<Boolean> sequences =
        Sequences.over(
            new Recorder(definition), SequencesConfig.defaults(), new ManualEnvironment())) {
      ISequence<Boolean> sequence = sequences.open("s");
      List<long[]> drawn = together(thread -> List.of(draw(sequence)));
      int[] times = new int[range + 1];
      for (long[] numbers : drawn) {
        for (long number : numbers) {
          times[(int) number]++;
        }
      }
      int[] expected = new int[range + 1];
      Arrays.fill(expected, cycle ? 2 : 1);
      expected[0] = cycle ? 0 : REFUSED;
      assertThat(Arrays.equals(times, expected)).as("each number as often as it should").isTrue();
      assertThat(sequence.state().version()).isEqualTo(cycle ? 2L * range : range);
    }
  }

  /** A refused draw is 0, which is outside the range. */
  private static long[] draw(ISequence<Boolean> sequence) {
    long[] numbers = new long[PLAIN_DRAWS];
    for (int i = 0; i < PLAIN_DRAWS; i++) {
      try {
        numbers[i] = sequence.next();
      } catch (SequenceExhaustedException e) {
        numbers[i] = 0;
      }
    }
    return numbers;
  }

  private interface Work<R> {
    List<R> of(int thread) throws Exception;
  }

  private static <R> List<R> together(Work<R> work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier gate = new CyclicBarrier(THREADS);
      List<Future<List<R>>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        Callable<List<R>> task =
            () -> {
              gate.await();
              return work.of(thread);
            };
        running.add(pool.submit(task));
      }
      List<R> all = new ArrayList<>();
      for (Future<List<R>> each : running) {
        all.addAll(each.get(5, TimeUnit.MINUTES));
      }
      return all;
    } finally {
      pool.shutdownNow();
    }
  }
}
