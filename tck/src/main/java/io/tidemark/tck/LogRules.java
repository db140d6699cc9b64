package io.tidemark.tck;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.api.WriteMode.PUT;
import static io.tidemark.tck.Made.event;
import static io.tidemark.tck.Made.group;
import static io.tidemark.tck.Made.plog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.spi.StorageCapability;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Rules L-2, L-3, L-6 to L-9, L-13 and L-16: the partition's log. */
interface LogRules extends StorageHarness {

  @Rule("L-2")
  @Property
  default void logEnd_afterEachAppend_isTheLastOffset(
      @ForAll @Size(max = 6) List<@IntRange(min = 1, max = 5) Integer> groups) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    assertThat(owner.logEnd()).as("log end before anything was appended").isZero();
    long end = 0;
    for (int size : groups) {
      List<PLogEvent> group = group(scene.workspace(0), end + 1, end + fitting(owner, end, size));
      owner.append(group, INSERT_IF_NOT_EXISTS);
      end += group.size();
      assertThat(owner.logEnd()).as("log end after appending up to %d", end).isEqualTo(end);
      assertThat(scene.reader().logEnd()).as("the same through a reader").isEqualTo(end);
    }
  }

  @Rule("L-2")
  @Example
  default void logEnd_throughAnotherConnection_seesAnAcknowledgedAppend() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    try (IAppStorage other = scene.openAgain()) {
      for (long offset = 1; offset <= 5; offset++) {
        PLogEvent event = event(scene.workspace(0), offset);
        owner.append(List.of(event), INSERT_IF_NOT_EXISTS);
        assertThat(other.reader(scene.partition()).logEnd())
            .as("log end through another connection after appending %d", offset)
            .isEqualTo(offset);
        assertThat(plog(other.reader(scene.partition()), offset))
            .as("the event at %d through another connection", offset)
            .containsExactly(event);
      }
    }
  }

  @Rule("L-3")
  @Property
  default void readPLog_fromAnyOffset_visitsEveryEventInOrderAsItWasAppended(
      @ForAll @Size(min = 1, max = 12) List<@Size(max = 300) byte[]> payloads,
      @ForAll @IntRange(min = 1, max = 12) int from,
      @ForAll long bits) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    List<PLogEvent> written = new ArrayList<>();
    for (byte[] payload : payloads) {
      long offset = written.size() + 1L;
      List<SequenceTouch> touches =
          List.of(
              new SequenceTouch(1 + (int) (offset * 7919 % 65535), offset, Long.MAX_VALUE, false),
              new SequenceTouch(65535, 0, 1, true));
      EventHeader header =
          new EventHeader(
              UUID.randomUUID(),
              offset,
              scene.workspaceNear(bits),
              65535,
              Long.MAX_VALUE,
              false,
              touches);
      PLogEvent event = new PLogEvent(offset, header, payload);
      owner.append(List.of(event), INSERT_IF_NOT_EXISTS);
      written.add(event);
    }
    List<PLogEvent> expected = written.subList(Math.min(from - 1, written.size()), written.size());
    assertThat(plog(owner, from))
        .as("read from %d of %d", from, written.size())
        .isEqualTo(expected);
    assertThat(plog(scene.reader(), from)).as("the same through a reader").isEqualTo(expected);
  }

  @Rule("L-3")
  @Example
  default void readPLog_visitorHasEnough_endsTheScan() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    appendEach(owner, scene.workspace(0), 5);
    List<Long> visited = new ArrayList<>();
    owner.readPLog(
        2,
        event -> {
          visited.add(event.offset());
          return event.offset() < 3;
        });
    assertThat(visited)
        .as("offsets visited from 2 by a visitor that ends at 3")
        .containsExactly(2L, 3L);
  }

  @Rule("L-3")
  @Property(tries = 2)
  default void readPLog_ofALongLog_visitsEveryEvent(
      @ForAll @IntRange(min = 550, max = 700) int size) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long end = 0;
    while (end < size) {
      List<PLogEvent> group =
          group(scene.workspace(0), end + 1, end + fitting(owner, end, (int) (size - end)));
      owner.append(group, INSERT_IF_NOT_EXISTS);
      end += group.size();
    }
    List<Long> visited = new ArrayList<>();
    owner.readPLog(1, event -> visited.add(event.offset()));
    assertThat(visited).as("offsets visited in a log of %d events", size).hasSize(size);
    for (int i = 0; i < size; i++) {
      assertThat(visited.get(i)).as("the %dth offset visited", i + 1).isEqualTo(i + 1);
    }
  }

  @Rule("L-3")
  @NeedsRawAccess
  @Property(tries = 5)
  default void readPLog_acrossAHole_isCorrupted(@ForAll @IntRange(min = 2, max = 5) int hole) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    appendEach(owner, scene.workspace(0), 6);
    scene.removePLog(hole);
    assertThatThrownBy(() -> plog(owner))
        .as("appended 1 to 6, removed %d, read the log", hole)
        .isInstanceOf(StorageCorruptedException.class);
    assertThatThrownBy(() -> plog(scene.reader()))
        .as("the same through a reader")
        .isInstanceOf(StorageCorruptedException.class);
  }

  @Rule({"L-3", "L-16"})
  @NeedsRawAccess
  @Example
  default void readPLog_ofADamagedEvent_isCorrupted() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    appendEach(owner, scene.workspace(0), 3);
    byte[] damaged = event(scene.workspace(0), 2).toBytes();
    damaged[damaged.length - 1] ^= 1;
    scene.plantPLog(2, damaged);
    assertThatThrownBy(() -> plog(owner))
        .as("one bit of the event at 2 was flipped behind the storage's back")
        .isInstanceOf(StorageCorruptedException.class);
  }

  @Rule("L-16")
  @NeedsRawAccess
  @Example
  default void readPLog_ofANewerFormat_isCorrupted() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    appendEach(owner, scene.workspace(0), 3);
    byte[] newer = event(scene.workspace(0), 3).toBytes();
    newer[0] = 2;
    scene.plantPLog(3, newer);
    assertThatThrownBy(() -> plog(owner))
        .as("the event at 3 has format version 2, which nobody knows yet")
        .isInstanceOf(StorageCorruptedException.class);
  }

  @Rule("L-6")
  @Property(tries = 5)
  default void append_withoutItsPredecessor_isRefusedAndWritesNothing(
      @ForAll @IntRange(max = 3) int end, @ForAll @IntRange(min = 2, max = 4) int gap) {
    refusesAGap(Scene.of(this), end, gap, INSERT_IF_NOT_EXISTS);
  }

  @Rule("L-6")
  @RequiresCapability(StorageCapability.FENCING_AT_LEVEL_2)
  @Property(tries = 5)
  default void append_atLevel2WithoutItsPredecessor_isRefusedAndWritesNothing(
      @ForAll @IntRange(max = 3) int end, @ForAll @IntRange(min = 2, max = 4) int gap) {
    refusesAGap(Scene.of(this, TrustLevel.LEVEL_2), end, gap, PUT);
  }

  private void refusesAGap(Scene scene, int end, int gap, WriteMode mode) {
    IPartitionStorage owner = scene.claim();
    for (long offset = 1; offset <= end; offset++) {
      owner.append(List.of(event(scene.workspace(0), offset)), mode);
    }
    assertThatThrownBy(() -> owner.append(List.of(event(scene.workspace(0), end + gap)), mode))
        .as("the log ends at %d, appended %d (%s)", end, end + gap, mode)
        .isInstanceOf(StorageCorruptedException.class);
    assertThat(owner.logEnd()).as("log end after the refused append").isEqualTo(end);
  }

  @Rule("L-7")
  @Property(tries = 5)
  default void append_ofAGroupAsLargeAsItsLimit_isAccepted(
      @ForAll @IntRange(max = 3) int end, @ForAll @IntRange(min = 1, max = 200) int most) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    appendEach(owner, scene.workspace(0), end);
    GroupLimit limit = owner.groupLimit(end + 1);
    int size = fitting(owner, end, most);
    owner.append(group(scene.workspace(0), end + 1, end + size), INSERT_IF_NOT_EXISTS);
    assertThat(owner.logEnd())
        .as("log end after a group of %d at %d, limit %s", size, end + 1, limit)
        .isEqualTo(end + size);
  }

  @Rule("L-7")
  @Example
  default void append_ofAnEventAsLargeAsTheLimit_isReadBack() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    long overhead = event(wsid, 1, 1, new byte[0]).size();
    long room = Math.min(owner.groupLimit(1).bytes(), 1 << 20) - overhead;
    assertThat(room).as("room for a payload within %s", owner.groupLimit(1)).isPositive();
    byte[] payload = new byte[(int) room];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) (i * 31);
    }
    PLogEvent event = event(wsid, 1, 1, payload);
    owner.append(List.of(event), INSERT_IF_NOT_EXISTS);
    PLogEvent read = plog(owner).get(0);
    assertThat(read.equals(event))
        .as("an event of %d bytes is read back as it was written", event.size())
        .isTrue();
  }

  @Rule("L-8")
  @NeedsRawAccess
  @Property(tries = 8)
  default void append_ofAGroupThatMeetsAForeignEvent_writesNothingOfIt(
      @ForAll @IntRange(min = 2, max = 6) int asked, @ForAll @IntRange(max = 5) int where) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    appendEach(owner, scene.workspace(0), 1);
    int size = fitting(owner, 1, asked);
    long foreign = 2L + where % size;
    byte[] planted = event(scene.workspace(0), foreign).toBytes();
    scene.plantPLog(foreign, planted);
    List<PLogEvent> group = group(scene.workspace(0), 2, 1 + size);
    assertThatThrownBy(() -> owner.append(group, INSERT_IF_NOT_EXISTS))
        .as("appended 2 to %d over a foreign event at %d", 1 + size, foreign)
        .isInstanceOf(RuntimeException.class);
    scene.removePLog(foreign);
    assertThat(owner.logEnd())
        .as("log end after a refused group 2 to %d (foreign %d taken away)", 1 + size, foreign)
        .isEqualTo(1);
  }

  @Rule("L-9")
  @Property(tries = 8)
  default void append_repeatedWithItsWriteIds_isSuccessAndChangesNothing(
      @ForAll @IntRange(min = 1, max = 4) int asked) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    List<PLogEvent> group = group(scene.workspace(0), 1, fitting(owner, 0, asked));
    owner.append(group, INSERT_IF_NOT_EXISTS);
    owner.append(group, INSERT_IF_NOT_EXISTS);
    PLogEvent next = event(scene.workspace(0), group.size() + 1L);
    owner.append(List.of(next), INSERT_IF_NOT_EXISTS);
    owner.append(group, INSERT_IF_NOT_EXISTS);
    List<PLogEvent> expected = new ArrayList<>(group);
    expected.add(next);
    assertThat(plog(owner))
        .as("the log after a group was appended three times")
        .isEqualTo(expected);
  }

  @Rule("L-9")
  @Example
  default void append_repeatedAfterTheEpochMovedOn_isSuccess() {
    Scene scene = Scene.of(this);
    IPartitionStorage old = scene.claim("old");
    List<PLogEvent> group = List.of(event(scene.workspace(0), 1));
    old.append(group, INSERT_IF_NOT_EXISTS);
    scene.claim("new");
    old.append(group, INSERT_IF_NOT_EXISTS);
    assertThat(plog(scene.reader())).as("the log after the repeated append").isEqualTo(group);
  }

  @Rule("L-13")
  @Example
  default void markCorrupted_aLoggedEvent_keepsItsHeaderAndPlace() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    appendEach(owner, scene.workspace(0), 3);
    List<PLogEvent> before = plog(owner);
    owner.markCorrupted(2);
    List<PLogEvent> after = plog(owner);
    assertThat(after).as("events after 2 was marked corrupted").hasSize(3);
    assertThat(after.get(1).header())
        .as("header of the marked event")
        .isEqualTo(before.get(1).header().asCorrupted());
    assertThat(after.get(0)).as("its neighbour before").isEqualTo(before.get(0));
    assertThat(after.get(2)).as("its neighbour behind").isEqualTo(before.get(2));
  }

  @Rule("L-13")
  @Example
  default void markCorrupted_byADeposedOwner_isFenced() {
    Scene scene = Scene.of(this);
    IPartitionStorage old = scene.claim("old");
    appendEach(old, scene.workspace(0), 2);
    scene.claim("new");
    assertThatThrownBy(() -> old.markCorrupted(1))
        .as("a deposed owner marks an event corrupted")
        .isInstanceOf(FencedException.class);
    assertThat(plog(scene.reader()).get(0).header().corrupted())
        .as("the mark after a refused marking")
        .isFalse();
  }

  /** How many of {@code asked} small events fit in a group behind {@code end}. */
  static int fitting(IPartitionStorage owner, long end, int asked) {
    GroupLimit limit = owner.groupLimit(end + 1);
    long byBytes = Math.max(1, limit.bytes() / 200);
    return (int) Math.min(Math.min(asked, limit.events()), byBytes);
  }

  private static void appendEach(IPartitionStorage owner, long wsid, int last) {
    for (long offset = 1; offset <= last; offset++) {
      owner.append(List.of(event(wsid, offset)), INSERT_IF_NOT_EXISTS);
    }
  }
}
