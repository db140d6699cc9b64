package io.tidemark.storage.cassandra;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.storage.cassandra.Fixture.event;
import static io.tidemark.storage.cassandra.Fixture.group;
import static io.tidemark.storage.cassandra.Fixture.plog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PLogTest {
  private IAppStorage app;
  private IPartitionStorage handle;

  @BeforeEach
  void open() {
    app = Fixture.open(TrustLevel.LEVEL_0);
    handle = app.claim(0, "first");
  }

  @AfterEach
  void close() {
    app.close();
  }

  private void append(List<PLogEvent> group) {
    handle.append(group, INSERT_IF_NOT_EXISTS);
  }

  private List<PLogEvent> fill(long last) {
    List<PLogEvent> written = new ArrayList<>();
    for (long offset = handle.logEnd() + 1; offset <= last; offset++) {
      PLogEvent event = event(offset);
      append(List.of(event));
      written.add(event);
    }
    return written;
  }

  @Test
  @Tag("L-2")
  @Tag("L-3")
  void append_acrossBuckets_isReadBackInOrder() {
    assertThat(handle.logEnd()).isZero();

    List<PLogEvent> written = fill(3L * Fixture.BUCKET + 1);

    assertThat(handle.logEnd()).isEqualTo(3L * Fixture.BUCKET + 1);
    assertThat(plog(handle)).isEqualTo(written);
    assertThat(plog(app.reader(0))).isEqualTo(written);
    assertThat(app.reader(1).logEnd()).as("another partition's log").isZero();
  }

  @Test
  @Tag("L-7")
  @Tag("L-8")
  void group_asLargeAsItsLimit_isAppendedAndOneMoreIsRefused() {
    fill(1);
    int room = handle.groupLimit(2).events();
    assertThat(room).isEqualTo(Fixture.BUCKET - 1);

    assertThatThrownBy(() -> append(group(2, 2 + room)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 3 events");
    append(group(2, 1 + room));

    assertThat(handle.groupLimit(Fixture.BUCKET + 1).events()).isEqualTo(Fixture.BUCKET);
    append(group(Fixture.BUCKET + 1, 2 * Fixture.BUCKET));
    assertThat(plog(handle)).hasSize(2 * Fixture.BUCKET);
  }

  @Test
  @Tag("L-9")
  void append_repeated_findsItselfAlsoAfterTheEpochMovedOnAndAcrossBuckets() {
    List<PLogEvent> first = group(1, 2);
    append(first);
    append(first);
    fill(2 * Fixture.BUCKET);
    append(first);

    IPartitionStorage next = app.claim(0, "second");
    append(first);
    next.append(first, INSERT_IF_NOT_EXISTS);

    assertThat(next.logEnd()).isEqualTo(2 * Fixture.BUCKET);
  }

  @Test
  @Tag("T-1")
  @Tag("T-3")
  void append_overAForeignEvent_isAViolationAndWritesNothing() {
    List<PLogEvent> written = fill(2);

    assertThatThrownBy(() -> append(group(2, 3)))
        .isInstanceOfSatisfying(
            SequenceViolationException.class, e -> assertThat(e.key()).isEqualTo("PLog offset 2"));

    assertThat(plog(handle)).isEqualTo(written);
    fill(2 * Fixture.BUCKET);
    assertThatThrownBy(() -> append(List.of(event(1))))
        .as("in a bucket that was left long ago")
        .isInstanceOf(SequenceViolationException.class);
  }

  @Test
  @Tag("L-6")
  void append_withoutItsPredecessor_isCorruption() {
    fill(1);

    for (long offset : List.of(3L, 5L, 6L, 40L)) {
      assertThatThrownBy(() -> append(List.of(event(offset))))
          .as("offset %d after 1", offset)
          .isInstanceOf(StorageCorruptedException.class)
          .hasMessageContaining("no predecessor");
    }
    assertThat(handle.logEnd()).isOne();
  }

  @Test
  @Tag("F-5")
  @Tag("F-11")
  void append_throughAnOlderHandle_isFencedInEveryBucket() {
    fill(Fixture.BUCKET);
    IPartitionStorage next = app.claim(0, "second");

    assertThatThrownBy(() -> append(List.of(event(Fixture.BUCKET + 1))))
        .as("the old owner opens the next bucket")
        .isInstanceOf(FencedException.class);
    next.append(List.of(event(Fixture.BUCKET + 1)), INSERT_IF_NOT_EXISTS);
    assertThatThrownBy(() -> append(List.of(event(Fixture.BUCKET + 2))))
        .isInstanceOf(FencedException.class);
    assertThatThrownBy(handle::settle).isInstanceOf(FencedException.class);

    assertThat(next.logEnd()).isEqualTo(Fixture.BUCKET + 1);
    assertThat(next.epoch().number()).isGreaterThan(handle.epoch().number());
  }

  @Test
  @Tag("F-9")
  void settle_thenAppend_goesOnUnderANewEpoch() {
    fill(Fixture.BUCKET - 1);
    long before = handle.epoch().number();

    handle.settle();

    assertThat(handle.epoch().number()).isEqualTo(before + 1);
    fill(Fixture.BUCKET + 1);
    handle.settle();
    fill(Fixture.BUCKET + 2);
    assertThat(handle.logEnd()).isEqualTo(Fixture.BUCKET + 2);
  }

  @Test
  @Tag("L-13")
  void mark_ofAnEvent_keepsItsHeaderAndIsRefusedToAnOlderHandle() {
    List<PLogEvent> written = fill(Fixture.BUCKET + 1);

    handle.markCorrupted(2);

    List<PLogEvent> read = plog(app.reader(0));
    assertThat(read.get(1).header()).isEqualTo(written.get(1).header().asCorrupted());
    assertThat(read.get(1).payload()).isEqualTo(written.get(1).payload());
    assertThatThrownBy(() -> handle.markCorrupted(9)).isInstanceOf(StorageCorruptedException.class);
    app.claim(0, "second");
    assertThatThrownBy(() -> handle.markCorrupted(1)).isInstanceOf(FencedException.class);
    assertThat(plog(app.reader(0)).get(0).header().corrupted()).isFalse();
  }

  @Test
  @Tag("T-2")
  void mode_ofAnotherLevel_isRefused() {
    assertThatThrownBy(() -> handle.append(List.of(event(1)), WriteMode.PUT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("stored at LEVEL_0");
  }
}
