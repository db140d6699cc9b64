package io.tidemark.core;

import static io.tidemark.core.Fixture.EVENT;
import static io.tidemark.core.Fixture.KIND;
import static io.tidemark.core.Fixture.LONG;
import static io.tidemark.core.Fixture.ORDERS;
import static io.tidemark.core.Fixture.OTHER_KIND;
import static io.tidemark.core.Fixture.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.ISequencer;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequencerListener;
import io.tidemark.api.SequencerState;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.ReplayBatcher;
import io.tidemark.spi.SeqValues;
import io.tidemark.storage.memory.Outcome;
import io.tidemark.storage.memory.StorageCall;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Defects that an earlier version had, each in its smallest form. */
final class MishapsTest {
  private final Fixture fixture = new Fixture();

  @Test
  @Tag("E-6")
  void cancelledFirstTransaction_leavesNoNumbersBehindForAnotherKind() {
    ISequencer sequencer = fixture.ready().sequencer();
    sequencer.start(KIND, 7);
    sequencer.cancel();
    sequencer.start(OTHER_KIND, 7);
    assertThat(sequencer.next(ORDERS)).isEqualTo(1);
    sequencer.flush();
    assertThatThrownBy(() -> sequencer.start(KIND, 7)).hasMessage("workspace 7 has kind 2, not 1");
  }

  /** A storage that throws an Error the first time. */
  private static final class Stumbling implements ISeqStorage {
    private final ISeqStorage real;
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicInteger scans = new AtomicInteger();

    Stumbling(ISeqStorage real) {
      this.real = real;
    }

    @Override
    public long[] readNumbers(long wsid, int[] seqIds) {
      return real.readNumbers(wsid, seqIds);
    }

    @Override
    public long readNextPLogOffset() {
      return real.readNextPLogOffset();
    }

    @Override
    public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
      if (writes.getAndIncrement() == 0) {
        throw new AssertionError("a bug of the storage's");
      }
      real.writeValuesAndOffset(batch, nextOffset);
    }

    @Override
    public void actualizeSequencesFromPLog(
        long from, Cancellation cancellation, ReplayBatcher batcher) {
      if (scans.getAndIncrement() == 0) {
        throw new StackOverflowError("another one");
      }
      real.actualizeSequencesFromPLog(from, cancellation, batcher);
    }
  }

  @Test
  void errorsOfTheStorage_areRetriedLikeAnyFailure() {
    ISeqStorage storage = new Stumbling(fixture.application.claim(0, "x"));
    ISequencer sequencer =
        Sequencers.over(storage, fixture.config, fixture.budget, fixture.environment);
    assertThat(sequencer.start(KIND, 7, LONG)).isEqualTo(1);
    sequencer.next(ORDERS);
    sequencer.flush();
    assertThat(sequencer.close(LONG)).isTrue();
    assertThat(fixture.stored(7, ORDERS)).isEqualTo(1);
  }

  @Test
  @Tag("E-18")
  void errorsOfTheListener_changeNothing() {
    SequencerListener broken =
        new SequencerListener() {
          @Override
          public void flushed(int partition, int values, long nextOffset) {
            throw new AssertionError("a bug of the listener's");
          }
        };
    Fixture listened =
        new Fixture(SequencerConfig.builder(Fixture.TYPES).listener(broken).build(), 1000);
    LogPartition partition = listened.ready();
    for (int i = 1; i <= 3; i++) {
      order(partition, 7, 1);
      listened.environment.advance(Duration.ofSeconds(1));
      assertThat(listened.stored(7, ORDERS)).isEqualTo(i);
    }
  }

  @Test
  void patience_afterStorageRefusal_endsSoonAfterStorageIsBack() {
    ISequencer sequencer = fixture.ready().sequencer();
    fixture.store.outcomes().always(StorageCall.READ_SEQ_DATA, Outcome.REFUSED);
    fixture.environment.schedule(
        Duration.ofSeconds(6), Environment.Lane.FLUSH, fixture.store.outcomes()::clear);
    long before = fixture.environment.nanoTime();
    assertThat(sequencer.start(KIND, 7, Duration.ofMinutes(10))).isEqualTo(1);
    assertThat(Duration.ofNanos(fixture.environment.nanoTime() - before))
        .isLessThan(Duration.ofSeconds(12));
  }

  @Test
  void patience_withAGroupTooLarge_isNotSpent() {
    Fixture small = Fixture.withMaxUnflushed(3);
    ISequencer sequencer = small.ready().sequencer();
    for (int wsid = 1; wsid <= 2; wsid++) {
      sequencer.start(KIND, wsid);
      sequencer.next(ORDERS);
      sequencer.stage();
    }
    long before = small.environment.nanoTime();
    assertThat(sequencer.start(KIND, 3, LONG)).isZero();
    assertThat(sequencer.refusal()).isEqualTo(Refusal.BACKPRESSURE);
    assertThat(small.environment.nanoTime()).isEqualTo(before);
    sequencer.flush();
    assertThat(sequencer.start(KIND, 3, LONG)).isEqualTo(3);
  }

  @Test
  @Tag("E-17")
  void close_whileARetryWaits_triesAtOnce() {
    LogPartition partition = fixture.ready();
    fixture.store.outcomes().always(StorageCall.WRITE_SEQ_DATA, Outcome.REFUSED);
    order(partition, 7, 1);
    fixture.environment.advance(Duration.ofSeconds(20));
    fixture.store.outcomes().clear();
    assertThat(partition.sequencer().close(Duration.ofMillis(1))).isTrue();
    assertThat(fixture.stored(7, ORDERS)).isEqualTo(1);
  }

  @Test
  void append_whenClosedMeanwhile_stillThrowsWhatTheStorageSaid() {
    LogPartition partition = fixture.ready();
    fixture.store.outcomes().script(StorageCall.APPEND, Outcome.UNKNOWN_APPLIED);
    try (Transaction transaction = partition.begin(KIND, 7)) {
      transaction.next(ORDERS);
      partition.close();
      assertThatThrownBy(() -> transaction.append(EVENT))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("CLOSED");
    }
    LogPartition again = fixture.ready();
    AtomicReference<Transaction> open = new AtomicReference<>(again.begin(KIND, 7));
    fixture.application.claim(0, "another");
    assertThatThrownBy(() -> open.get().append(EVENT)).isNotInstanceOf(IllegalStateException.class);
    again.close();
  }

  @Test
  void status_afterFencing_keepsItsCause() {
    Fixture other = new Fixture();
    LogPartition partition = other.ready();
    order(partition, 7, 1);
    other.application.claim(0, "another");
    other.store.outcomes().script(StorageCall.APPEND, Outcome.UNKNOWN_LOST);
    assertThatThrownBy(() -> order(partition, 7, 1)).isInstanceOf(OutcomeUnknownException.class);
    other.environment.advance(LONG);
    assertThat(partition.sequencer().status().state()).isEqualTo(SequencerState.FENCED);
    assertThat(partition.sequencer().status().lastError()).hasMessageContaining("fenced");
  }

  @Test
  void close_afterFencing_writesNothing() {
    LogPartition partition = fixture.ready();
    order(partition, 7, 1);
    fixture.environment.advance(Duration.ofSeconds(1));
    assertThat(fixture.stored(7, ORDERS)).isEqualTo(1);
    order(partition, 7, 1); // waits to be flushed when the next owner comes
    fixture.application.claim(0, "another");
    assertThatThrownBy(() -> order(partition, 7, 1)).isInstanceOf(FencedException.class);
    fixture.environment.runReady();
    assertThat(partition.sequencer().status().state()).isEqualTo(SequencerState.FENCED);
    assertThat(partition.sequencer().close(LONG)).as("a deposed owner's values are lost").isFalse();
    assertThat(fixture.stored(7, ORDERS)).isEqualTo(1);
  }

  @Test
  void patience_forEver_isTaken() {
    Duration forEver = ChronoUnit.FOREVER.getDuration();
    ISequencer sequencer = fixture.claim().sequencer();
    assertThat(sequencer.awaitReady(forEver)).isTrue();
    assertThat(sequencer.start(KIND, 7, forEver)).isEqualTo(1);
    sequencer.flush();
    assertThat(sequencer.close(forEver)).isTrue();
  }

  @Test
  void patience_underBackpressure_endsWhenABatchIsTakenNotWhenItIsWritten() {
    Fixture small = Fixture.withMaxUnflushed(3);
    LogPartition partition = small.ready();
    small.store.outcomes().always(StorageCall.WRITE_SEQ_DATA, Outcome.REFUSED);
    order(partition, 1, 1);
    order(partition, 2, 1);
    assertThat(partition.sequencer().start(KIND, 3)).isZero();
    assertThat(partition.sequencer().refusal()).isEqualTo(Refusal.BACKPRESSURE);
    long before = small.environment.nanoTime();
    assertThat(partition.sequencer().start(KIND, 3, LONG)).isEqualTo(3);
    assertThat(small.environment.nanoTime()).as("no time had to pass").isEqualTo(before);
  }

  @Test
  void durations_forEver_areTakenByTheConfigurationToo() {
    Duration forEver = ChronoUnit.FOREVER.getDuration();
    SequencerConfig patient =
        SequencerConfig.builder(Fixture.TYPES)
            .batcherDelay(forEver)
            .readTimeout(forEver)
            .retryCap(forEver)
            .build();
    LogPartition partition = new Fixture(patient, 1000).ready();
    assertThat(order(partition, 7, 1)).isEqualTo(1);
    assertThat(partition.sequencer().close(LONG)).isTrue();
  }

  @Test
  void listener_ofAShortReplay_hearsItsEnd() {
    order(fixture.ready(), 7, 1);
    List<Long> offsets = new ArrayList<>();
    SequencerListener listener =
        new SequencerListener() {
          @Override
          public void actualizing(int partition, long offset, long eventsRead) {
            offsets.add(offset);
          }
        };
    SequencerConfig config = SequencerConfig.builder(Fixture.TYPES).listener(listener).build();
    ISequencer sequencer =
        Sequencers.of(fixture.application, config, fixture.budget, fixture.environment)
            .claim(0, "next")
            .sequencer();
    assertThat(sequencer.awaitReady(LONG)).isTrue();
    assertThat(offsets).containsExactly(1L);
  }

  @Test
  void failedWrites_areTriedAgainOnALaneOfTheirOwn() {
    List<Environment.Lane> scheduled = new ArrayList<>();
    ManualEnvironment watched =
        new ManualEnvironment() {
          @Override
          public Timer schedule(Duration delay, Lane lane, Runnable task) {
            scheduled.add(lane);
            return super.schedule(delay, lane, task);
          }
        };
    LogPartition partition =
        Sequencers.of(fixture.application, fixture.config, fixture.budget, watched)
            .claim(0, "watched");
    assertThat(partition.sequencer().awaitReady(LONG)).isTrue();
    fixture.store.outcomes().script(StorageCall.WRITE_SEQ_DATA, Outcome.REFUSED);
    order(partition, 7, 1);
    watched.advance(LONG);
    assertThat(scheduled).containsExactly(Environment.Lane.FLUSH, Environment.Lane.RETRY);
    assertThat(fixture.stored(7, ORDERS)).isEqualTo(1);
  }
}
