package io.tidemark.core;

import static io.tidemark.core.Fixture.KIND;
import static io.tidemark.core.Fixture.LONG;
import static io.tidemark.core.Fixture.ORDERS;
import static io.tidemark.core.Fixture.TINY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequenceExhaustedException;
import io.tidemark.api.SequencerState;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.storage.memory.Outcome;
import io.tidemark.storage.memory.StorageCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Any sequence of verbs, in order or not, against a model of a few lines. */
final class SequencerModelTest {
  @Property(tries = 500)
  @Tag("E-4")
  @Tag("E-5")
  @Tag("E-10")
  @Tag("E-12")
  @Tag("E-14")
  @Tag("E-15")
  void verbs_inAnyOrder_agreeWithTheModel(
      @ForAll @Size(max = 120) List<@IntRange(min = 0, max = 999) Integer> script) {
    new Walk().run(script);
  }

  /** One sequencer, its model, and the verbs on both. */
  private static final class Walk {
    private static final int WORKSPACES = 4;

    private final Fixture fixture = Fixture.withMaxUnflushed(6);
    private Map<List<Long>, Long> committed = new HashMap<>();
    private Map<List<Long>, Long> drawn = new HashMap<>();
    private Map<List<Long>, Long> beforeOpen = new HashMap<>();
    private final List<PLogEvent> group = new ArrayList<>();
    private LogPartition partition = fixture.ready();
    private boolean open;
    private long wsid;
    private long logEnd;

    void run(List<Integer> script) {
      for (int word : script) {
        int argument = word / 10;
        switch (word % 10) {
          case 0, 1 -> start(argument % WORKSPACES);
          case 2, 3 -> next(ORDERS, 1 + argument % 3, Long.MAX_VALUE, 1);
          case 4 -> next(TINY, 1, 5, 2);
          case 5 -> commit(Outcome.APPLIED);
          case 6 -> stage();
          case 7 -> cancel();
          case 8 -> commit(argument % 2 == 0 ? Outcome.UNKNOWN_APPLIED : Outcome.UNKNOWN_LOST);
          default -> restart(argument % 2 == 0);
        }
        assertThat(sequencer().status().state() == SequencerState.IN_TRANSACTION)
            .isEqualTo(open || !group.isEmpty());
      }
    }

    private ISequencer sequencer() {
      return partition.sequencer();
    }

    private void start(long workspace) {
      if (open) {
        assertThatThrownBy(() -> sequencer().start(KIND, workspace))
            .isInstanceOf(IllegalStateException.class);
        return;
      }
      if (sequencer().start(KIND, workspace, LONG) == 0) {
        assertThat(group).as("only a group can fill the backlog for good").isNotEmpty();
        return;
      }
      open = true;
      wsid = workspace;
      beforeOpen = new HashMap<>(drawn);
      assertThat(sequencer().status().nextOffset()).isEqualTo(logEnd + group.size() + 1);
    }

    private void next(int seqId, int count, long max, long increment) {
      if (!open) {
        assertThatThrownBy(() -> sequencer().next(seqId, count))
            .isInstanceOf(IllegalStateException.class);
        return;
      }
      List<Long> key = List.of(wsid, (long) seqId);
      Long last = drawn.get(key);
      long first = last == null ? 1 : last + increment;
      if (first + (count - 1) * increment > max) {
        assertThatThrownBy(() -> sequencer().next(seqId, count))
            .isInstanceOf(SequenceExhaustedException.class);
      } else {
        assertThat(sequencer().next(seqId, count)).isEqualTo(first);
        drawn.put(key, first + (count - 1) * increment);
      }
    }

    private PLogEvent event() {
      List<SequenceTouch> touches = new ArrayList<>();
      sequencer()
          .drawn(
              (seqId, count, last, seen) ->
                  touches.add(new SequenceTouch(seqId, count, last, seen)));
      long offset = logEnd + group.size() + 1;
      long first = group.isEmpty() ? offset : group.get(0).offset();
      EventHeader header =
          new EventHeader(fixture.environment.randomId(), first, wsid, KIND, 0, false, touches);
      return new PLogEvent(offset, header, Fixture.EVENT);
    }

    private void stage() {
      if (!open) {
        assertThatThrownBy(sequencer()::stage).isInstanceOf(IllegalStateException.class);
        return;
      }
      PLogEvent event = event();
      sequencer().stage();
      group.add(event);
      open = false;
    }

    private void cancel() {
      if (!open) {
        assertThatThrownBy(sequencer()::cancel).isInstanceOf(IllegalStateException.class);
        return;
      }
      sequencer().cancel();
      drawn = new HashMap<>(beforeOpen);
      open = false;
    }

    private void commit(Outcome outcome) {
      if (!open && group.isEmpty()) {
        assertThatThrownBy(sequencer()::flush).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(sequencer()::actualize).isInstanceOf(IllegalStateException.class);
        return;
      }
      if (open) {
        group.add(event());
      }
      IPartitionStorage storage = partition.storage();
      fixture.store.outcomes().script(StorageCall.APPEND, outcome);
      if (outcome == Outcome.APPLIED) {
        storage.append(group, WriteMode.INSERT_IF_NOT_EXISTS);
        sequencer().flush();
      } else {
        assertThatThrownBy(() -> storage.append(group, WriteMode.INSERT_IF_NOT_EXISTS)).isNotNull();
        sequencer().actualize();
        assertThat(sequencer().awaitReady(LONG)).isTrue();
      }
      if (outcome == Outcome.UNKNOWN_LOST) {
        drawn = new HashMap<>(committed);
      } else {
        committed = new HashMap<>(drawn);
        logEnd += group.size();
      }
      group.clear();
      open = false;
    }

    /** Closes, or just forgets the process, and opens another owner. */
    private void restart(boolean orderly) {
      if (orderly) {
        assertThat(sequencer().close(LONG)).isTrue();
      }
      drawn = new HashMap<>(committed);
      group.clear();
      open = false;
      partition = fixture.ready();
      assertThat(sequencer().status().nextOffset()).isEqualTo(logEnd + 1);
    }
  }
}
