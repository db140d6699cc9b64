package io.tidemark.core;

import static io.tidemark.core.Fixture.KIND;
import static io.tidemark.core.Fixture.LONG;
import static io.tidemark.core.Fixture.ORDERS;
import static io.tidemark.core.Fixture.order;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ISequencer;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequencerListener;
import io.tidemark.api.SequencerState;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.Outcome;
import io.tidemark.storage.memory.StorageCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When numbers reach storage, and what happens when they cannot. */
final class FlushingTest {
  private static final Duration ALMOST = Duration.ofMillis(499);

  @Test
  void flushByTimer() {
    Fixture fixture = new Fixture();
    LogPartition partition = fixture.ready();
    order(partition, 7, 1);
    fixture.environment.advance(ALMOST);
    assertThat(fixture.stored(7, ORDERS)).as("before the interval is over").isZero();
    fixture.environment.advance(Duration.ofMillis(2));
    assertThat(fixture.stored(7, ORDERS)).isEqualTo(1);
    assertThat(fixture.reader().readNextPLogOffset()).isEqualTo(2);
    assertThat(partition.sequencer().status().lag()).isZero();
  }

  @Test
  void flushBySize() {
    Fixture fixture = Fixture.withMaxUnflushed(20);
    LogPartition partition = fixture.ready();
    for (int wsid = 1; wsid <= 4; wsid++) {
      order(partition, wsid, 1); // each brings an order and the workspace's kind
    }
    fixture.environment.runReady();
    assertThat(fixture.stored(1, ORDERS)).as("8 of 20 wait").isZero();
    order(partition, 5, 1);
    fixture.environment.runReady();
    assertThat(fixture.stored(1, ORDERS)).as("half of 20 wait").isEqualTo(1);
    assertThat(fixture.reader().readNextPLogOffset()).isEqualTo(6);
  }

  @Test
  void flush_whenNothingChanged_writesNothing() {
    List<Long> flushed = new ArrayList<>();
    Fixture fixture = listening(flushed);
    LogPartition partition = fixture.ready();
    fixture.environment.advance(LONG);
    assertThat(flushed).isEmpty();
    order(partition, 7, 1);
    fixture.environment.advance(LONG);
    assertThat(flushed).containsExactly(2L);
  }

  private static Fixture listening(List<Long> flushed) {
    SequencerListener listener =
        new SequencerListener() {
          @Override
          public void flushed(int partition, int values, long nextOffset) {
            flushed.add(nextOffset);
            throw new IllegalStateException("a listener's own bug");
          }
        };
    return new Fixture(SequencerConfig.builder(Fixture.TYPES).listener(listener).build(), 1000);
  }

  @Test
  @Tag("E-13")
  @Tag("E-17")
  @Tag("E-18")
  void flushPermanentlyFails() {
    Fixture fixture = Fixture.withMaxUnflushed(10);
    LogPartition partition = fixture.ready();
    fixture.store.outcomes().always(StorageCall.WRITE_SEQ_DATA, Outcome.REFUSED);
    ISequencer sequencer = partition.sequencer();
    int commands = 0;
    for (long wsid = 1; sequencer.start(KIND, wsid) != 0; wsid++) {
      sequencer.next(ORDERS);
      sequencer.flush();
      fixture.environment.advance(Duration.ofSeconds(1));
      commands++;
    }
    assertThat(sequencer.refusal()).isEqualTo(Refusal.BACKPRESSURE);
    assertThat(commands).isBetween(6, 12);
    assertThat(sequencer.status().lastError()).hasMessageContaining("refused");
    assertThat(sequencer.status().waitingValues() + sequencer.status().inFlightValues())
        .isLessThanOrEqualTo(2 * 10 + 2);
    long before = fixture.environment.nanoTime();
    assertThat(sequencer.close(Duration.ofSeconds(3))).as("all flushed").isFalse();
    assertThat(Duration.ofNanos(fixture.environment.nanoTime() - before))
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(sequencer.status().state()).isEqualTo(SequencerState.CLOSED);
  }

  @Test
  @Tag("E-13")
  void start_underBackpressure_succeedsOnceStorageTakesWritesAgain() {
    Fixture fixture = Fixture.withMaxUnflushed(2);
    LogPartition partition = fixture.ready();
    fixture.store.outcomes().always(StorageCall.WRITE_SEQ_DATA, Outcome.REFUSED);
    ISequencer sequencer = partition.sequencer();
    for (long wsid = 1; sequencer.start(KIND, wsid) != 0; wsid++) {
      sequencer.next(ORDERS);
      sequencer.flush();
      fixture.environment.runReady();
    }
    fixture.store.outcomes().clear();
    assertThat(sequencer.start(KIND, 99, LONG)).as("with patience").isPositive();
    assertThat(sequencer.status().lastError()).isNull();
  }

  @Test
  @Tag("E-17")
  void close_flushesWhatIsPending() {
    Fixture fixture = new Fixture();
    LogPartition partition = fixture.ready();
    order(partition, 7, 3);
    assertThat(partition.sequencer().close(LONG)).isTrue();
    assertThat(fixture.stored(7, ORDERS)).isEqualTo(3);
    assertThat(fixture.reader().readNextPLogOffset()).isEqualTo(2);
    assertThat(fixture.budget.used()).as("the cache is given back").isZero();
  }

  @Test
  void groupFlush_takesAllPartitionsInOneCall_andSplitsWhenItFails() {
    Fixture fixture = new Fixture();
    IAppStorage wide = fixture.store.open("wide", Layout.of(3));
    Sequencers sequencers =
        Sequencers.of(wide, fixture.config, fixture.budget, fixture.environment);
    List<LogPartition> partitions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      partitions.add(sequencers.claim(i, "test"));
      assertThat(partitions.get(i).sequencer().awaitReady(LONG)).isTrue();
      order(partitions.get(i), i, 1);
    }
    fixture.store.outcomes().script(StorageCall.WRITE_SEQ_DATA, Outcome.REFUSED, Outcome.REFUSED);
    fixture.environment.advance(Duration.ofMillis(505));
    long written = 0;
    for (int i = 0; i < 3; i++) {
      written += wide.reader(i).readNumbers(i, new int[] {ORDERS})[0];
    }
    assertThat(written).as("the group failed, then one of three alone").isEqualTo(2);
    fixture.environment.advance(LONG);
    for (int i = 0; i < 3; i++) {
      assertThat(wide.reader(i).readNumbers(i, new int[] {ORDERS})[0]).isEqualTo(1);
      assertThat(partitions.get(i).sequencer().status().lastError()).isNull();
    }
  }
}
