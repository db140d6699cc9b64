package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.ISequence;
import io.tidemark.api.ISequences;
import io.tidemark.api.InvalidSequenceException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceExhaustedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.core.SequenceModel.Registration;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import io.tidemark.storage.memory.MemoryTransaction;
import io.tidemark.storage.memory.Outcome;
import io.tidemark.storage.memory.StorageCall;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import org.jspecify.annotations.Nullable;

/**
 * Any definition, any verbs, any storage outcome, a crash at any point: the engine answers what a
 * model with unbounded numbers answers. The profile {@code many-tries} makes it 100,000 histories.
 */
class SequencesModelTest {
  private static final int MOST_STEPS = 30;

  /** One verb; {@code pick} and {@code raw} choose its arguments. */
  record Step(Verb verb, int pick, long raw) {}

  enum Verb {
    NEXT,
    NEXT_AGAIN,
    NEXT_DURABLE,
    NEXT_IN_A,
    NEXT_IN_B,
    COMMIT_A,
    COMMIT_B,
    ROLLBACK_A,
    SET,
    RESTART,
    RESTART_WITH,
    ALTER,
    SYNC,
    LATE_ARRIVES,
    CRASH,
    CLOSE
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Step> step =
        Combinators.combine(
                Arbitraries.of(Verb.class),
                Arbitraries.integers().between(0, 999),
                Arbitraries.longs())
            .as(Step::new);
    return step.list().ofMaxSize(MOST_STEPS);
  }

  @Provide
  Arbitrary<SequenceDefinition> definitions() {
    return Combinators.combine(
            bound(), bound(), increment(), Arbitraries.longs(), Arbitraries.of(true, false))
        .filter((a, b, increment, start, cycle) -> a.longValue() != b.longValue())
        .as(
            (a, b, increment, start, cycle) -> {
              long min = Math.min(a, b);
              long max = Math.max(a, b);
              return SequenceDefinition.named("s")
                  .min(min)
                  .max(max)
                  .start(within(min, max, start))
                  .increment(increment)
                  .cycle(cycle)
                  .build();
            });
  }

  private static Arbitrary<Long> bound() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(-12, 12),
        Arbitraries.longs().greaterOrEqual(Long.MAX_VALUE - 12),
        Arbitraries.longs().lessOrEqual(Long.MIN_VALUE + 12),
        Arbitraries.longs());
  }

  private static Arbitrary<Long> increment() {
    return Arbitraries.oneOf(
            Arbitraries.longs().between(-4, 4),
            Arbitraries.longs().greaterOrEqual(Long.MAX_VALUE - 3),
            Arbitraries.longs().lessOrEqual(Long.MIN_VALUE + 3),
            Arbitraries.longs())
        .filter(increment -> increment != 0);
  }

  /** Any number of the range, its ends more often. */
  private static long within(long min, long max, long raw) {
    return switch ((int) (raw & 3)) {
      case 0 -> min;
      case 1 -> max;
      default -> {
        long span = max - min + 1; // 0 means all 2^64 numbers
        yield span == 0 ? raw : min + Long.remainderUnsigned(raw >>> 2, span);
      }
    };
  }

  @Property
  @Tag("I17")
  @Tag("I18")
  @Tag("Q-4")
  @Tag("Q-7")
  void anyHistory_answersWhatTheModelAnswers(
      @ForAll("definitions") SequenceDefinition definition, @ForAll("steps") List<Step> steps) {
    Run run = new Run(definition);
    for (Step step : steps) {
      run.take(step);
      assertThat(run.sequence.state()).as("state after %s", step).isEqualTo(run.model.state());
      assertThat(run.sequence.definition()).isEqualTo(run.model.definition());
    }
  }

  /** The engine and the model side by side. */
  private static final class Run {
    final MemoryStore store = MemoryStore.builder().untilSync().build();
    final IAppStorage application = store.open("shop", Layout.of(1));
    final SequenceModel model;
    final List<Registration> late = new ArrayList<>();
    final Open a = new Open();
    final Open b = new Open();
    ISequences<MemoryTransaction> sequences;
    ISequence<MemoryTransaction> sequence;

    /** A caller's transaction and what it will make durable. */
    private final class Open {
      @Nullable MemoryTransaction handle;
      final List<Registration> registered = new ArrayList<>();

      MemoryTransaction handle() {
        if (handle == null) {
          handle = store.begin();
        }
        return handle;
      }

      void end(Consumer<MemoryTransaction> how) {
        if (handle != null) {
          how.accept(handle);
        }
        handle = null;
        registered.clear();
      }
    }

    Run(SequenceDefinition definition) {
      model = new SequenceModel(definition);
      sequences = claim();
      sequences.create(definition);
      sequence = sequences.open(definition.name());
    }

    @SuppressWarnings("unchecked") // the memory store has one type of transaction
    private ISequences<MemoryTransaction> claim() {
      return Sequences.over(
          (ISequenceStorage<MemoryTransaction>) application.sequences("test"),
          SequencesConfig.defaults(),
          new ManualEnvironment());
    }

    void take(Step step) {
      switch (step.verb()) {
        case NEXT, NEXT_AGAIN -> next();
        case NEXT_DURABLE -> nextDurable(outcome(step));
        case NEXT_IN_A -> next(a);
        case NEXT_IN_B -> next(b);
        case COMMIT_A -> commit(a);
        case COMMIT_B -> commit(b);
        case ROLLBACK_A -> a.end(MemoryTransaction::rollback);
        case SET -> set(target(step), (step.raw() & 4) != 0, outcome(step));
        case RESTART -> {
          Registration change = model.changed(model.definition().start(), false, null);
          change(change, outcome(step), sequence::restart);
        }
        case RESTART_WITH -> restartWith(target(step), outcome(step));
        case ALTER -> alter(step);
        case SYNC -> {
          store.sync();
          model.sync();
        }
        case LATE_ARRIVES -> lateArrives();
        case CRASH -> crash();
        case CLOSE -> close();
      }
    }

    private static Outcome outcome(Step step) {
      return switch (step.pick() % 8) {
        case 0 -> Outcome.REFUSED;
        case 1 -> Outcome.UNKNOWN_APPLIED;
        case 2 -> Outcome.UNKNOWN_LOST;
        case 3 -> Outcome.UNKNOWN_LATER;
        default -> Outcome.APPLIED;
      };
    }

    /** Mostly a number of the range or next to it. */
    private long target(Step step) {
      SequenceDefinition definition = model.definition();
      return switch (step.pick() % 5) {
        case 0 -> definition.max() + 1;
        case 1 -> definition.min() - 1;
        case 2 -> step.raw();
        default -> within(definition.min(), definition.max(), step.raw());
      };
    }

    private void next() {
      Registration drawn = model.draw();
      if (drawn == null) {
        assertThatThrownBy(sequence::next).isInstanceOf(SequenceExhaustedException.class);
      } else {
        assertThat(sequence.next()).isEqualTo(drawn.value().longValueExact());
        assertThat(sequence.current()).isEqualTo(drawn.value().longValueExact());
      }
    }

    private void next(Open transaction) {
      Registration drawn = model.draw();
      if (drawn == null) {
        assertThatThrownBy(() -> sequence.next(transaction.handle()))
            .isInstanceOf(SequenceExhaustedException.class);
      } else {
        assertThat(sequence.next(transaction.handle())).isEqualTo(drawn.value().longValueExact());
        transaction.registered.add(drawn);
      }
    }

    private void commit(Open transaction) {
      model.commit(transaction.registered);
      transaction.end(MemoryTransaction::commit);
    }

    private void nextDurable(Outcome outcome) {
      Registration drawn = model.draw();
      if (drawn == null) {
        assertThatThrownBy(sequence::nextDurable).isInstanceOf(SequenceExhaustedException.class);
        return;
      }
      store.outcomes().script(StorageCall.COMMIT_TRANSACTION, outcome);
      if (outcome == Outcome.APPLIED) {
        assertThat(sequence.nextDurable()).isEqualTo(drawn.value().longValueExact());
        model.acknowledged();
      } else {
        refused(outcome, sequence::nextDurable);
      }
      stored(drawn, outcome);
    }

    private void stored(Registration registration, Outcome outcome) {
      switch (outcome) {
        case APPLIED, UNKNOWN_APPLIED -> {
          model.commit(List.of(registration));
          model.sync();
        }
        case UNKNOWN_LATER -> late.add(registration);
        default -> {}
      }
    }

    private static void refused(Outcome outcome, Runnable work) {
      assertThatThrownBy(work::run)
          .isInstanceOf(
              outcome == Outcome.REFUSED
                  ? StorageUnavailableException.class
                  : OutcomeUnknownException.class);
    }

    private void set(long value, boolean called, Outcome outcome) {
      if (!model.definition().contains(value)) {
        assertThatThrownBy(() -> sequence.set(value, called))
            .isInstanceOf(InvalidSequenceException.class);
        return;
      }
      change(model.changed(value, called, null), outcome, () -> sequence.set(value, called));
    }

    private void restartWith(long value, Outcome outcome) {
      if (!model.definition().contains(value)) {
        assertThatThrownBy(() -> sequence.restart(value))
            .isInstanceOf(InvalidSequenceException.class);
        return;
      }
      change(model.changed(value, false, null), outcome, () -> sequence.restart(value));
    }

    private void change(Registration change, Outcome outcome, Runnable work) {
      store.outcomes().script(StorageCall.COMMIT_TRANSACTION, outcome);
      if (outcome == Outcome.APPLIED) {
        work.run();
        model.apply(change);
        return;
      }
      refused(outcome, work);
      stored(change, outcome);
      if (outcome != Outcome.REFUSED) {
        model.skipVersion();
      }
    }

    private void alter(Step step) {
      SequenceDefinition old = model.definition();
      SequenceDefinition.Builder builder = old.toBuilder();
      switch (step.pick() % 4) {
        case 0 -> builder.increment(step.raw());
        case 1 -> builder.max(step.raw());
        case 2 -> builder.min(step.raw()).cycle(!old.cycle());
        default -> builder.start(within(old.min(), old.max(), step.raw()));
      }
      SequenceDefinition altered;
      try {
        altered = builder.build();
      } catch (InvalidSequenceException contradictsItself) {
        return; // api's tests look at those
      }
      if (!altered.contains(model.value())) {
        assertThatThrownBy(() -> sequences.alter(altered))
            .isInstanceOf(InvalidSequenceException.class);
        return;
      }
      Registration change = model.changed(model.value(), model.state().issued(), altered);
      change(change, outcome(step), () -> sequences.alter(altered));
    }

    private void lateArrives() {
      int arrived = store.deliverLate();
      assertThat(arrived).isEqualTo(late.size());
      if (arrived > 0) {
        model.commit(late);
        model.sync();
      }
      late.clear();
    }

    private void crash() {
      store.crash();
      model.crash();
      reopen();
    }

    private void close() {
      sequences.close();
      model.close();
      reopen();
    }

    /** Whatever was on its way belongs to an older claim now. */
    private void reopen() {
      a.end(MemoryTransaction::rollback);
      b.end(MemoryTransaction::rollback);
      store.dropLate();
      late.clear();
      sequences = claim();
      sequence = sequences.open("s");
      if (model.current() == null) {
        assertThatThrownBy(sequence::current).isInstanceOf(IllegalStateException.class);
      }
    }
  }
}
