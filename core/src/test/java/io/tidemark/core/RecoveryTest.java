package io.tidemark.core;

import static io.tidemark.core.Fixture.EVENT;
import static io.tidemark.core.Fixture.KIND;
import static io.tidemark.core.Fixture.LONG;
import static io.tidemark.core.Fixture.ORDERS;
import static io.tidemark.core.Fixture.order;
import static io.tidemark.core.Fixture.peek;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.ISequencer;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequencerListener;
import io.tidemark.api.SequencerState;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.SeqValues;
import io.tidemark.storage.memory.Outcome;
import io.tidemark.storage.memory.StorageCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a sequencer knows after a restart, a failed append, or another owner's claim. */
final class RecoveryTest {

  @Test
  void longRecovery() {
    int max = 5;
    for (int events = 0; events <= 10 * max; events++) {
      Fixture fixture = Fixture.withMaxUnflushed(max);
      fixture.store.outcomes().always(StorageCall.WRITE_SEQ_DATA, Outcome.REFUSED);
      logWithoutFlushing(fixture, events);
      fixture.store.outcomes().clear();
      LogPartition recovered = fixture.ready();
      assertThat(recovered.sequencer().status().nextOffset()).isEqualTo(events + 1);
      for (long wsid = 0; wsid < 3; wsid++) {
        long logged = (events + 2 - wsid) / 3;
        assertThat(peek(recovered.sequencer(), wsid))
            .as("after %d events, workspace %d", events, wsid)
            .isEqualTo(logged + 1);
      }
      fixture.environment.advance(LONG);
      assertThat(fixture.reader().readNextPLogOffset()).as("checkpoint").isEqualTo(events + 1);
    }
  }

  /** Every event goes in with an owner of its own, so that nothing is ever flushed. */
  private static void logWithoutFlushing(Fixture fixture, int events) {
    long[] last = new long[3];
    var handle = fixture.application.claim(0, "writer");
    for (int i = 0; i < events; i++) {
      int wsid = i % 3;
      handle.append(
          List.of(Events.drawn(i + 1, wsid, ORDERS, ++last[wsid])), WriteMode.INSERT_IF_NOT_EXISTS);
    }
  }

  @Test
  void multipleActualizes() {
    Fixture fixture = Fixture.withMaxUnflushed(5);
    LogPartition partition = fixture.ready();
    ISequencer sequencer = partition.sequencer();
    Random random = new Random(42);
    long lastCommitted = 0;
    long lastOffset = 0;
    for (int cycle = 0; cycle < 100; cycle++) {
      long offset = sequencer.start(KIND, 7, LONG);
      assertThat(offset).isEqualTo(lastOffset + 1);
      long number = 0;
      for (int i = random.nextInt(3); i >= 0; i--) {
        number = sequencer.next(ORDERS);
        assertThat(number).isGreaterThan(lastCommitted);
      }
      if (random.nextBoolean()) {
        partition
            .storage()
            .append(
                List.of(Events.drawn(offset, 7, ORDERS, number)), WriteMode.INSERT_IF_NOT_EXISTS);
        sequencer.flush();
        lastCommitted = number;
        lastOffset = offset;
      } else {
        sequencer.actualize();
        assertThat(sequencer.start(KIND, 7)).isZero();
        assertThat(sequencer.refusal()).isEqualTo(Refusal.ACTUALIZING);
        assertThat(sequencer.awaitReady(LONG)).isTrue();
      }
    }
    assertThat(lastOffset).isBetween(20L, 80L);
    assertThat(peek(sequencer, 7)).isEqualTo(lastCommitted + 1);
  }

  @Test
  @Tag("E-15")
  void append_withUnknownOutcomes_isSettledOneWayOrTheOther() {
    Fixture fixture = new Fixture();
    LogPartition partition = fixture.ready();
    long expected = 1;
    for (Outcome outcome :
        List.of(Outcome.UNKNOWN_APPLIED, Outcome.UNKNOWN_LOST, Outcome.UNKNOWN_LATER)) {
      fixture.store.outcomes().script(StorageCall.APPEND, outcome);
      assertThatThrownBy(() -> order(partition, 7, 1)).isInstanceOf(OutcomeUnknownException.class);
      assertThat(partition.sequencer().awaitReady(LONG)).isTrue();
      fixture.store.deliverLate();
      expected += outcome == Outcome.UNKNOWN_APPLIED ? 1 : 0;
      assertThat(fixture.reader().logEnd()).as("after %s", outcome).isEqualTo(expected - 1);
      assertThat(order(partition, 7, 1)).as("after %s", outcome).isEqualTo(expected++);
    }
  }

  @Test
  void actualize_whileStorageIsDown_triesUntilItIsBack() {
    Fixture fixture = new Fixture();
    LogPartition partition = fixture.ready();
    order(partition, 7, 1);
    fixture.store.outcomes().script(StorageCall.APPEND, Outcome.REFUSED);
    fixture.store.outcomes().always(StorageCall.SETTLE, Outcome.REFUSED);
    assertThatThrownBy(() -> order(partition, 7, 1)).hasMessageContaining("refused");
    fixture.environment.advance(Duration.ofSeconds(30));
    assertThat(partition.sequencer().status().state()).isEqualTo(SequencerState.ACTUALIZING);
    assertThat(partition.sequencer().status().lastError()).isNotNull();
    fixture.store.outcomes().clear();
    fixture.environment.advance(Duration.ofSeconds(1));
    assertThat(partition.sequencer().status().lastError()).isNull();
    assertThat(order(partition, 7, 1)).isEqualTo(2);
  }

  @Test
  void takeover_fencesTheOldOwner_whichThenWritesNothing() {
    Fixture fixture = new Fixture();
    LogPartition old = fixture.ready();
    order(old, 7, 1);
    LogPartition young = fixture.ready();
    assertThat(order(young, 7, 1)).isEqualTo(2);
    assertThatThrownBy(() -> order(old, 7, 1)).isInstanceOf(FencedException.class);
    assertThat(old.sequencer().awaitReady(LONG)).isFalse();
    assertThat(old.sequencer().status().state()).isEqualTo(SequencerState.FENCED);
    assertThat(old.sequencer().start(KIND, 7)).isZero();
    assertThat(old.sequencer().refusal()).isEqualTo(Refusal.FENCED);
    assertThat(old.sequencer().close(LONG)).as("its numbers were not flushed by it").isFalse();
    assertThat(order(young, 7, 1)).isEqualTo(3);
  }

  @Test
  @Tag("F-4")
  void open_whenTheStoredOffsetLiesPastTheLogsEnd_fails() {
    Fixture fixture = new Fixture();
    fixture.application.claim(0, "x").writeValuesAndOffset(new SeqValues(), 5);
    LogPartition partition = fixture.claim();
    assertThat(partition.sequencer().awaitReady(LONG)).isFalse();
    assertThat(partition.sequencer().status().state()).isEqualTo(SequencerState.FAILED);
    assertThat(partition.sequencer().status().lastError())
        .isInstanceOf(StorageCorruptedException.class)
        .hasMessageContaining("tidemark rebuild");
    assertThat(partition.sequencer().refusal()).isEqualTo(Refusal.NONE);
    assertThat(partition.sequencer().start(KIND, 1)).isZero();
    assertThat(partition.sequencer().refusal()).isEqualTo(Refusal.FAILED);
  }

  @Test
  @Tag("F-4")
  void open_whenTheLogHasAnUnreadableEvent_fails() {
    Fixture fixture = new Fixture();
    order(fixture.ready(), 7, 1);
    fixture.store.plantPLog("shop", 0, 2, new byte[] {1});
    LogPartition partition = fixture.claim();
    assertThat(partition.sequencer().awaitReady(LONG)).isFalse();
    assertThat(partition.sequencer().status().state()).isEqualTo(SequencerState.FAILED);
  }

  @Test
  void replay_ofNumbersOutsideTheirRange_movesNothing() {
    Fixture fixture = new Fixture();
    var handle = fixture.application.claim(0, "writer");
    handle.append(
        List.of(Events.drawn(1, 7, Fixture.INVOICES, 65_536), Events.drawn(2, 7, Fixture.TINY, 99)),
        WriteMode.INSERT_IF_NOT_EXISTS);
    ISequencer sequencer = fixture.ready().sequencer();
    sequencer.start(KIND, 7);
    assertThat(sequencer.next(Fixture.INVOICES)).isEqualTo(200_001);
    assertThat(sequencer.next(Fixture.TINY)).isEqualTo(1);
  }

  @Test
  void longReplay_checkpointsAsItGoes_andReadsOnlyTheTailNextTime() {
    List<Long> read = new ArrayList<>();
    SequencerListener listener =
        new SequencerListener() {
          @Override
          public void ready(int partition, long nextOffset, long eventsRead) {
            read.add(eventsRead);
          }
        };
    Fixture fixture =
        new Fixture(
            SequencerConfig.builder(Fixture.TYPES)
                .maxUnflushedValues(10)
                .listener(listener)
                .build(),
            1000);
    logWithoutFlushing(fixture, 60);
    fixture.ready();
    fixture.environment.advance(LONG);
    fixture.ready();
    assertThat(read).containsExactly(60L, 0L);
  }

  @Test
  void append_ofAnUnreadableAnswer_keepsTheHandlesPromises() {
    Fixture fixture = new Fixture();
    LogPartition partition = fixture.ready();
    try (Transaction transaction = partition.begin(KIND, 7)) {
      transaction.append(EVENT);
      assertThatThrownBy(transaction::cancel).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> transaction.append(EVENT)).isInstanceOf(IllegalStateException.class);
    }
    assertThat(fixture.reader().logEnd()).isEqualTo(1);
  }
}
