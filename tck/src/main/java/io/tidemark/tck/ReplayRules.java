package io.tidemark.tck;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.tck.Made.KIND;
import static io.tidemark.tck.Made.SEQ;
import static io.tidemark.tck.Made.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.SystemSequences;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SeqValues;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Rules: replay is in order and complete, or it throws. */
interface ReplayRules extends StorageHarness {

  @Rule("R-1")
  @Property(tries = 12)
  default void replay_fromAnyOffset_handsOverTheNumbersOfEveryEventInOrder(
      @ForAll @IntRange(max = 12) int end, @ForAll @IntRange(min = 1, max = 13) int from) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    List<String> expected = new ArrayList<>();
    for (long offset = 1; offset <= end; offset++) {
      PLogEvent event = event(scene.workspace((int) offset % 3), offset);
      owner.append(List.of(event), INSERT_IF_NOT_EXISTS);
      if (offset >= from) {
        expected.add(
            offset
                + " "
                + new SeqValues()
                    .add(event.header().wsid(), SystemSequences.WORKSPACE_KIND, KIND)
                    .add(event.header().wsid(), SEQ, offset));
      }
    }
    List<String> replayed = new ArrayList<>();
    owner.actualizeSequencesFromPLog(
        from, Cancellation.NEVER, (values, offset) -> replayed.add(offset + " " + values));
    assertThat(replayed).as("replayed %d..%d: offset and numbers", from, end).isEqualTo(expected);
  }

  @Rule("R-2")
  @NeedsRawAccess
  @Property(tries = 4)
  default void replay_acrossAHole_isCorrupted(@ForAll @IntRange(min = 2, max = 4) int hole) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = logOf(scene, 5);
    scene.removePLog(hole);
    assertThatThrownBy(() -> offsets(owner, 1))
        .as("appended 1 to 5, removed %d, replayed from 1", hole)
        .isInstanceOf(StorageCorruptedException.class);
  }

  @Rule("R-2")
  @NeedsRawAccess
  @Example
  default void replay_ofADamagedEvent_isCorrupted() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = logOf(scene, 3);
    byte[] damaged = event(scene.workspace(0), 3).toBytes();
    damaged[10] ^= 1;
    scene.plantPLog(3, damaged);
    assertThatThrownBy(() -> offsets(owner, 1))
        .as("the event at 3 was damaged behind the storage's back")
        .isInstanceOf(StorageCorruptedException.class);
  }

  @Rule("R-2")
  @NeedsRawAccess
  @Example
  default void replay_whoseFirstEventIsMissing_isCorrupted() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = logOf(scene, 4);
    scene.removePLog(2);
    assertThatThrownBy(() -> offsets(owner, 2))
        .as("appended 1 to 4, removed 2, replayed from 2")
        .isInstanceOf(StorageCorruptedException.class);
  }

  @Rule("R-3")
  @Property(tries = 4)
  default void replay_cancelledOnTheWay_endsWithCancellation(
      @ForAll @IntRange(max = 3) int events) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = logOf(scene, 3);
    AtomicInteger seen = new AtomicInteger();
    assertThatThrownBy(
            () ->
                owner.actualizeSequencesFromPLog(
                    1, () -> seen.get() >= events, (values, offset) -> seen.incrementAndGet()))
        .as("cancelled after %d of 3 events; a cut scan must not look complete", events)
        .isInstanceOf(CancellationException.class);
    assertThat(seen.get())
        .as("events handed over after the cancellation")
        .isLessThanOrEqualTo(events + 1);
  }

  @Rule("R-4")
  @Example
  default void replay_whoseBatcherThrows_throwsTheSame() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = logOf(scene, 3);
    IllegalStateException own = new IllegalStateException("the batcher's own");
    List<Long> seen = new ArrayList<>();
    assertThatThrownBy(
            () ->
                owner.actualizeSequencesFromPLog(
                    1,
                    Cancellation.NEVER,
                    (values, offset) -> {
                      seen.add(offset);
                      if (offset == 2) {
                        throw own;
                      }
                    }))
        .as("what the batcher threw at 2")
        .isSameAs(own);
    assertThat(seen).as("offsets handed over").containsExactly(1L, 2L);
  }

  private static IPartitionStorage logOf(Scene scene, int end) {
    IPartitionStorage owner = scene.claim();
    for (long offset = 1; offset <= end; offset++) {
      owner.append(List.of(event(scene.workspace(0), offset)), INSERT_IF_NOT_EXISTS);
    }
    return owner;
  }

  private static List<Long> offsets(IPartitionStorage owner, long from) {
    List<Long> offsets = new ArrayList<>();
    owner.actualizeSequencesFromPLog(
        from, Cancellation.NEVER, (values, offset) -> offsets.add(offset));
    return offsets;
  }
}
