package io.tidemark.core;

import static io.tidemark.core.Fixture.EVENT;
import static io.tidemark.core.Fixture.KIND;
import static io.tidemark.core.Fixture.LONG;
import static io.tidemark.core.Fixture.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.BusyException;
import io.tidemark.api.ISequencer;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SystemSequences;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The everyday handle. */
final class HandleTest {
  private final Fixture fixture = new Fixture();

  @Test
  @Tag("E-16")
  void begin_whenRefused_saysWhyAndWhenToTryAgain() {
    LogPartition partition = fixture.claim();
    assertThatThrownBy(() -> partition.begin(KIND, 7))
        .isInstanceOfSatisfying(
            BusyException.class,
            busy -> {
              assertThat(busy.reason()).isEqualTo(Refusal.ACTUALIZING);
              assertThat(busy.retryAfter()).isPositive();
              assertThat(busy).hasMessageStartingWith("server is busy: ACTUALIZING");
            });
  }

  @Test
  void append_logsTheEventWithWhatItDrew() {
    SequenceTypes platform = SequenceTypes.builder().platform(KIND).build();
    Fixture shop = new Fixture(SequencerConfig.of(platform), 1000);
    LogPartition partition = shop.ready();
    long id;
    try (Transaction transaction = partition.begin(KIND, 7)) {
      assertThat(transaction.plogOffset()).isEqualTo(1);
      assertThat(transaction.wlogOffset()).isEqualTo(1);
      id = transaction.next(SystemSequences.OWRECORD_ID, 2);
      transaction.append(EVENT);
    }
    assertThat(id).isEqualTo(322680000131072L);
    List<PLogEvent> log = new ArrayList<>();
    partition.storage().readPLog(1, log::add);
    assertThat(log).hasSize(1);
    assertThat(log.get(0).payload()).isEqualTo(EVENT);
    assertThat(log.get(0).header().wlogOffset()).isEqualTo(1);
    assertThat(log.get(0).header().touches())
        .containsExactly(
            new SequenceTouch(SystemSequences.WLOG_OFFSET, 1, 1, false),
            new SequenceTouch(SystemSequences.OWRECORD_ID, 2, id + 1, false));
  }

  @Test
  @Tag("E-14")
  void close_withoutAppend_givesNumbersBack() {
    LogPartition partition = fixture.ready();
    try (Transaction transaction = partition.begin(KIND, 7)) {
      assertThat(transaction.next(ORDERS)).isEqualTo(1);
    }
    assertThat(Fixture.order(partition, 7, 1)).isEqualTo(1);
    assertThat(fixture.reader().logEnd()).isEqualTo(1);
  }

  @Test
  void begin_withAWorkspaceOfAnotherPartition_isRefused() {
    IAppStorage wide = fixture.store.open("wide", Layout.of(3));
    LogPartition partition =
        Sequencers.of(wide, fixture.config, fixture.budget, fixture.environment).claim(1, "x");
    partition.sequencer().awaitReady(LONG);
    assertThatThrownBy(() -> partition.begin(KIND, 5))
        .hasMessage("workspace 5 belongs to partition 2, not 1");
    assertThat(Fixture.order(partition, -3, 1)).as("wsids are unsigned").isEqualTo(1);
  }

  @Test
  void over_plainNumbersStorage_takesThreeLines() throws InterruptedException {
    try (ISequencer sequencer =
        Sequencers.over(fixture.application.claim(0, "x"), fixture.config)) {
      assertThat(sequencer.awaitReady(LONG)).isTrue();
      assertThat(sequencer.start(KIND, 7)).isEqualTo(1);
      assertThat(sequencer.next(ORDERS)).isEqualTo(1);
      sequencer.flush();
    }
    assertThat(fixture.stored(7, ORDERS)).isEqualTo(1);
  }
}
