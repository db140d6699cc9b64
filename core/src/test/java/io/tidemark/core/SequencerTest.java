package io.tidemark.core;

import static io.tidemark.core.Fixture.INVOICES;
import static io.tidemark.core.Fixture.KIND;
import static io.tidemark.core.Fixture.LONG;
import static io.tidemark.core.Fixture.ORDERS;
import static io.tidemark.core.Fixture.OTHER_KIND;
import static io.tidemark.core.Fixture.TINY;
import static io.tidemark.core.Fixture.order;
import static io.tidemark.core.Fixture.peek;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.ISequencer;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequenceExhaustedException;
import io.tidemark.api.SequencerState;
import io.tidemark.api.SystemSequences;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.ReplayBatcher;
import io.tidemark.spi.SeqValues;
import io.tidemark.storage.memory.Outcome;
import io.tidemark.storage.memory.StorageCall;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The verbs, their order and their misuse. */
final class SequencerTest {
  private final Fixture fixture = new Fixture();

  @Test
  @Tag("E-5")
  void start_beforeActualized_isRefusedAndSaysWhy() {
    ISequencer sequencer = fixture.claim().sequencer();
    assertThat(sequencer.start(KIND, 7)).isZero();
    assertThat(sequencer.refusal()).isEqualTo(Refusal.ACTUALIZING);
    assertThat(sequencer.status().state()).isEqualTo(SequencerState.ACTUALIZING);
    assertThat(sequencer.start(KIND, 7, LONG)).isEqualTo(1);
  }

  @Test
  @Tag("E-5")
  void start_again_answersTheSameOffsetUntilFlush() {
    ISequencer sequencer = fixture.ready().sequencer();
    assertThat(sequencer.start(KIND, 7)).isEqualTo(1);
    sequencer.cancel();
    assertThat(sequencer.start(KIND, 7)).isEqualTo(1);
    sequencer.flush();
    assertThat(sequencer.start(KIND, 7)).isEqualTo(2);
  }

  @Test
  @Tag("E-4")
  @Tag("E-6")
  @Tag("E-9")
  @Tag("E-10")
  @Tag("E-11")
  void misuse_isADefinedErrorAndChangesNothing() {
    ISequencer sequencer = fixture.ready().sequencer();
    assertThatThrownBy(() -> sequencer.next(ORDERS)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(sequencer::flush).hasMessageContaining("cannot flush while READY");
    assertThatThrownBy(sequencer::cancel).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(sequencer::stage).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(sequencer::actualize).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> sequencer.start(9, 7)).hasMessage("workspace kind 9 is not defined");
    assertThatThrownBy(() -> sequencer.start(70_000, 7))
        .hasMessage("wsKind must be 1..65535, was 70000");

    assertThat(sequencer.start(KIND, 7)).isEqualTo(1);
    assertThatThrownBy(() -> sequencer.start(KIND, 8)).hasMessageContaining("open already");
    assertThatThrownBy(() -> sequencer.next(999)).isInstanceOf(UnknownSequenceException.class);
    assertThatThrownBy(() -> sequencer.next(SystemSequences.PLOG_OFFSET))
        .hasMessageContaining("start() answers log offsets");
    assertThatThrownBy(() -> sequencer.next(ORDERS, 0)).hasMessage("count must be >= 1, was 0");
    assertThatThrownBy(() -> sequencer.next(TINY, 4))
        .isInstanceOf(SequenceExhaustedException.class)
        .hasMessage("sequence tiny is exhausted: 4 more after 0 would pass its max 5");
    assertThatThrownBy(() -> sequencer.observe(TINY, 6))
        .hasMessage("an observed number of tiny must be within 1..5, was 6");
    assertThat(sequencer.next(ORDERS)).as("nothing was drawn by the errors").isEqualTo(1);
    assertThat(sequencer.next(TINY, 3)).isEqualTo(1);
    assertThatThrownBy(() -> sequencer.next(TINY)).isInstanceOf(SequenceExhaustedException.class);
    sequencer.flush();
    assertThat(sequencer.start(KIND, 7)).isEqualTo(2);
  }

  @Test
  @Tag("E-6")
  void start_withAnotherKindThanTheWorkspaces_isRefused() {
    LogPartition partition = fixture.ready();
    order(partition, 7, 1);
    ISequencer sequencer = partition.sequencer();
    assertThatThrownBy(() -> sequencer.start(OTHER_KIND, 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("workspace 7 has kind 1, not 2");
    partition.close();
    ISequencer later = fixture.ready().sequencer();
    assertThatThrownBy(() -> later.start(OTHER_KIND, 7))
        .hasMessage("workspace 7 has kind 1, not 2");
    assertThat(peek(later, 7)).isEqualTo(2);
  }

  @Test
  @Tag("E-6")
  void cancel_ofAWorkspacesFirstTransaction_leavesItsKindOpen() {
    ISequencer sequencer = fixture.ready().sequencer();
    sequencer.start(KIND, 7);
    sequencer.cancel();
    assertThat(sequencer.start(OTHER_KIND, 7)).isEqualTo(1);
    sequencer.next(ORDERS);
    sequencer.flush();
    fixture.environment.advance(LONG);
    assertThat(fixture.stored(7, SystemSequences.WORKSPACE_KIND)).isEqualTo(OTHER_KIND);
  }

  @Test
  @Tag("E-8")
  void next_whenLessThanTheInitialValueIsStored_answersTheInitialValue() {
    fixture
        .application
        .claim(0, "before")
        .writeValuesAndOffset(new SeqValues().add(7, INVOICES, 5), 1);
    ISequencer sequencer = fixture.ready().sequencer();
    sequencer.start(KIND, 7);
    assertThat(sequencer.next(INVOICES)).isEqualTo(200_001);
  }

  @Test
  @Tag("E-11")
  void observe_ofANumber_movesForwardOnly() {
    ISequencer sequencer = fixture.ready().sequencer();
    sequencer.start(KIND, 7);
    sequencer.observe(ORDERS, 10);
    sequencer.observe(ORDERS, 3);
    assertThat(sequencer.next(ORDERS)).isEqualTo(11);
    sequencer.drawn(
        (seqId, count, last, observed) -> {
          assertThat(seqId).isEqualTo(ORDERS);
          assertThat(count).isEqualTo(1);
          assertThat(last).isEqualTo(11);
          assertThat(observed).isTrue();
        });
  }

  @Test
  @Tag("E-12")
  @Tag("E-14")
  void stage_givesFollowingOffsets_andCancelTakesBackOnlyTheOpenOne() {
    ISequencer sequencer = fixture.ready().sequencer();
    assertThat(sequencer.start(KIND, 7)).isEqualTo(1);
    assertThat(sequencer.next(ORDERS)).isEqualTo(1);
    sequencer.stage();
    assertThat(sequencer.status().state()).isEqualTo(SequencerState.IN_TRANSACTION);
    assertThatThrownBy(() -> sequencer.next(ORDERS)).isInstanceOf(IllegalStateException.class);
    assertThat(sequencer.start(KIND, 7)).isEqualTo(2);
    assertThat(sequencer.next(ORDERS)).isEqualTo(2);
    sequencer.cancel();
    assertThat(sequencer.start(KIND, 7)).isEqualTo(2);
    assertThat(sequencer.next(ORDERS)).isEqualTo(2);
    sequencer.flush();
    assertThat(sequencer.start(KIND, 7)).isEqualTo(3);
    assertThat(sequencer.next(ORDERS)).isEqualTo(3);
  }

  @Test
  @Tag("E-12")
  void start_afterStageWithACacheTooSmall_stillFollowsTheStagedNumbers() {
    Fixture small = new Fixture(SequencerConfig.of(Fixture.TYPES), 1);
    ISequencer sequencer = small.ready().sequencer();
    sequencer.start(KIND, 7);
    assertThat(sequencer.next(ORDERS)).isEqualTo(1);
    sequencer.stage();
    sequencer.start(KIND, 8);
    sequencer.next(ORDERS);
    sequencer.stage();
    sequencer.start(KIND, 7);
    assertThat(sequencer.next(ORDERS)).isEqualTo(2);
    assertThat(small.budget.used()).isLessThanOrEqualTo(1);
  }

  @Test
  @Tag("E-1")
  @Tag("E-2")
  void verbs_fromTwoThreadsAtOnce_areRefused() throws InterruptedException {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    ISeqStorage storage = new BlockingReads(fixture.application.claim(0, "x"), reading, goOn);
    ISequencer sequencer =
        Sequencers.over(storage, fixture.config, fixture.budget, fixture.environment);
    sequencer.awaitReady(LONG);
    AtomicReference<Long> offset = new AtomicReference<>();
    Thread first = new Thread(() -> offset.set(sequencer.start(KIND, 7)));
    first.start();
    reading.await();
    assertThatThrownBy(() -> sequencer.start(KIND, 8)).hasMessageContaining("two threads");
    assertThatThrownBy(sequencer::flush).hasMessageContaining("two threads");
    assertThat(sequencer.status().state()).isEqualTo(SequencerState.READY);
    goOn.countDown();
    first.join();
    assertThat(offset.get()).isEqualTo(1);
    assertThat(sequencer.next(ORDERS)).isEqualTo(1);
  }

  @Test
  @Tag("E-1")
  void next_fromTwoThreadsAtOnce_isDetected() throws InterruptedException {
    ISequencer sequencer = fixture.ready().sequencer();
    sequencer.start(KIND, 7);
    AtomicReference<IllegalStateException> detected = new AtomicReference<>();
    Runnable misuse =
        () -> {
          while (detected.get() == null) {
            try {
              sequencer.next(ORDERS);
            } catch (IllegalStateException e) {
              detected.set(e);
            }
          }
        };
    Thread other = new Thread(misuse);
    other.start();
    misuse.run();
    other.join();
    assertThat(detected.get()).hasMessageContaining("two threads");
    sequencer.cancel();
    assertThat(sequencer.start(KIND, 7)).as("usable afterwards").isEqualTo(1);
  }

  @Test
  @Tag("E-1")
  void transaction_handedToAnotherThread_goesOn() throws InterruptedException {
    ISequencer sequencer = fixture.ready().sequencer();
    sequencer.start(KIND, 7);
    assertThat(sequencer.next(ORDERS)).isEqualTo(1);
    AtomicReference<Long> second = new AtomicReference<>();
    Thread other = new Thread(() -> second.set(sequencer.next(ORDERS)));
    other.start();
    other.join();
    assertThat(second.get()).isEqualTo(2);
    sequencer.flush();
    assertThat(peek(sequencer, 7)).isEqualTo(3);
  }

  /** Blocks the first read of numbers until told to go on. */
  private record BlockingReads(ISeqStorage real, CountDownLatch reading, CountDownLatch goOn)
      implements ISeqStorage {
    @Override
    public long[] readNumbers(long wsid, int[] seqIds) {
      reading.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return real.readNumbers(wsid, seqIds);
    }

    @Override
    public long readNextPLogOffset() {
      return real.readNextPLogOffset();
    }

    @Override
    public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
      real.writeValuesAndOffset(batch, nextOffset);
    }

    @Override
    public void actualizeSequencesFromPLog(
        long from, Cancellation cancellation, ReplayBatcher batcher) {
      real.actualizeSequencesFromPLog(from, cancellation, batcher);
    }
  }

  @Test
  @Tag("E-3")
  void start_whenAMissCannotBeRead_isRefusedWithinTheReadTimeout() {
    ISequencer sequencer = fixture.ready().sequencer();
    fixture.store.outcomes().always(StorageCall.READ_SEQ_DATA, Outcome.REFUSED);
    long before = fixture.environment.nanoTime();
    assertThat(sequencer.start(KIND, 7)).isZero();
    assertThat(sequencer.refusal()).isEqualTo(Refusal.STORAGE);
    assertThat(Duration.ofNanos(fixture.environment.nanoTime() - before))
        .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(6));
    fixture.store.outcomes().clear();
    assertThat(sequencer.start(KIND, 7)).isEqualTo(1);
  }

  @Test
  @Tag("E-7")
  void next_ofAnySequenceOfTheKind_readsNothing() {
    ISequencer sequencer = fixture.ready().sequencer();
    sequencer.start(KIND, 7);
    fixture.store.outcomes().always(StorageCall.READ_SEQ_DATA, Outcome.REFUSED);
    assertThat(sequencer.next(ORDERS)).isEqualTo(1);
    assertThat(sequencer.next(INVOICES)).isEqualTo(200_001);
    assertThat(sequencer.next(TINY)).isEqualTo(1);
  }

  @Test
  void verbs_afterClose_areRefused_andFlushHasNoEffect() {
    ISequencer sequencer = fixture.ready().sequencer();
    sequencer.start(KIND, 7);
    sequencer.next(ORDERS);
    assertThat(sequencer.close(LONG)).isTrue();
    sequencer.flush();
    assertThatThrownBy(() -> sequencer.next(ORDERS)).hasMessageContaining("while CLOSED");
    assertThatThrownBy(sequencer::cancel).isInstanceOf(IllegalStateException.class);
    assertThat(sequencer.start(KIND, 7)).isZero();
    assertThat(sequencer.refusal()).isEqualTo(Refusal.CLOSED);
    assertThat(fixture.stored(7, ORDERS)).isZero();
  }
}
