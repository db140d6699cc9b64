package io.tidemark.tck;

import static io.tidemark.tck.EngineRun.INVOICES;
import static io.tidemark.tck.EngineRun.KIND;
import static io.tidemark.tck.Made.SEQ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SystemSequences;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.SeqValues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Rules and I3, for numbers beside somebody's own log. */
interface OwnReplayRules extends SequencesHarness {

  @Rule("R-1")
  @Property
  default void replay_fromAnyOffset_handsOverTheNumbersOfEveryEventInOrder(
      @ForAll @IntRange(max = 9) int end, @ForAll @IntRange(min = 1, max = 10) int from) {
    ISeqStorage storage = openFresh();
    List<String> expected = new ArrayList<>();
    for (long offset = 1; offset <= end; offset++) {
      appendToLog(offset, numbers(offset));
      if (offset >= from) {
        expected.add(offset + " " + numbers(offset));
      }
    }
    List<String> replayed = new ArrayList<>();
    storage.actualizeSequencesFromPLog(
        from, Cancellation.NEVER, (values, offset) -> replayed.add(offset + " " + values));
    assertThat(replayed).as("replayed %d..%d: offset and numbers", from, end).isEqualTo(expected);
  }

  @Rule("R-3")
  @Property
  default void replay_cancelledOnTheWay_endsWithCancellation(
      @ForAll @IntRange(max = 3) int events) {
    ISeqStorage storage = openFresh();
    for (long offset = 1; offset <= 3; offset++) {
      appendToLog(offset, numbers(offset));
    }
    List<Long> seen = new ArrayList<>();
    assertThatThrownBy(
            () ->
                storage.actualizeSequencesFromPLog(
                    1, () -> seen.size() >= events, (values, offset) -> seen.add(offset)))
        .as("cancelled after %d of 3 events; a cut scan must not look complete", events)
        .isInstanceOf(CancellationException.class);
  }

  @Rule("R-4")
  @Example
  default void replay_whoseBatcherThrows_throwsTheSame() {
    ISeqStorage storage = openFresh();
    appendToLog(1, numbers(1));
    IllegalStateException own = new IllegalStateException("the batcher's own");
    assertThatThrownBy(
            () ->
                storage.actualizeSequencesFromPLog(
                    1,
                    Cancellation.NEVER,
                    (values, offset) -> {
                      throw own;
                    }))
        .as("what the batcher threw")
        .isSameAs(own);
  }

  @Rule({"I1", "I2", "I3"})
  @Property(tries = 5)
  default void engine_restartedWithoutAClose_goesOnAfterEveryLoggedNumber(
      @ForAll @IntRange(min = 1, max = 12) int commands, @ForAll boolean cancelled) {
    List<ISequencer> killed = new ArrayList<>();
    try {
      restarts(commands, cancelled, killed);
    } finally {
      killed.forEach(sequencer -> sequencer.close(Duration.ofMillis(1)));
    }
  }

  private void restarts(int commands, boolean cancelled, List<ISequencer> killed) {
    ISeqStorage storage = openFresh();
    long last = 0;
    long offset = 0;
    for (int run = 0; run < 3; run++) {
      ISequencer sequencer = Sequencers.over(storage, EngineRun.config());
      killed.add(sequencer);
      assertThat(sequencer.awaitReady(Duration.ofSeconds(60)))
          .as("ready in run %d: %s", run, sequencer.status())
          .isTrue();
      for (int i = 0; i < commands; i++) {
        long started = sequencer.start(KIND, 9, Duration.ofSeconds(60));
        assertThat(started).as("offset of command %d in run %d", i, run).isEqualTo(offset + 1);
        long number = sequencer.next(INVOICES);
        assertThat(number).as("number of command %d in run %d", i, run).isEqualTo(last + 1);
        if (cancelled && i % 3 == 1) {
          sequencer.cancel();
          continue;
        }
        SeqValues numbers = new SeqValues().add(9, SystemSequences.WORKSPACE_KIND, KIND);
        appendToLog(started, numbers.add(9, INVOICES, number));
        sequencer.flush();
        offset = started;
        last = number;
      }
      if (run == 1) {
        sequencer.close();
      } // else it is left as kill -9 would leave it; its flushes may still come, and lower nothing
      storage = reopen();
    }
  }

  private static SeqValues numbers(long offset) {
    return new SeqValues()
        .add(offset % 3, SystemSequences.WORKSPACE_KIND, 3)
        .add(offset % 3, SEQ, offset);
  }
}
