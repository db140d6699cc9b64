package io.tidemark.storage.foundationdb;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.api.WriteMode.PUT;
import static io.tidemark.storage.foundationdb.Fixture.APP;
import static io.tidemark.storage.foundationdb.Fixture.bytes;
import static io.tidemark.storage.foundationdb.Fixture.event;
import static io.tidemark.storage.foundationdb.Fixture.group;
import static io.tidemark.storage.foundationdb.Fixture.plog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PLogTest {
  private final TestCluster cluster = TestCluster.start();
  private final TestRows rows = cluster.rows();
  private final IAppStorage app = cluster.open(APP, Layout.of(1));
  private final IPartitionStorage log = app.claim(0, "test");

  @Test
  @Tag("L-2")
  void logEnd_ofEmptyLog_isZeroThenFollowsAppends() {
    assertThat(log.logEnd()).isZero();
    log.append(group(1, 3), INSERT_IF_NOT_EXISTS);
    assertThat(cluster.open(APP, null).reader(0).logEnd()).isEqualTo(3);
  }

  @Test
  @Tag("L-3")
  @Tag("L-16")
  void readPLog_overManyPages_visitsEachEventInOrder() {
    List<PLogEvent> events = group(1, 90);
    log.append(events, INSERT_IF_NOT_EXISTS);

    assertThat(plog(log)).isEqualTo(events);
    List<PLogEvent> tail = new ArrayList<>();
    log.readPLog(events.size() - 1, tail::add);
    assertThat(tail).isEqualTo(events.subList(events.size() - 2, events.size()));
    log.readPLog(events.size() + 1, event -> tail.add(event));
    assertThat(tail).as("nothing is behind the end").hasSize(2);
  }

  @Test
  @Tag("L-3")
  void readPLog_whenTheVisitorSaysFalse_ends() {
    log.append(group(1, 10), INSERT_IF_NOT_EXISTS);
    List<PLogEvent> seen = new ArrayList<>();
    log.readPLog(
        1,
        event -> {
          seen.add(event);
          return event.offset() < 4;
        });
    assertThat(seen).hasSize(4);
  }

  @Test
  void readPLog_whileTheLogGrows_endsWhereItEndedAtTheStart() {
    log.append(group(1, 2), INSERT_IF_NOT_EXISTS);
    List<PLogEvent> seen = new ArrayList<>();
    log.readPLog(
        1,
        event -> {
          log.append(List.of(event(event.offset() + 2)), INSERT_IF_NOT_EXISTS);
          return seen.add(event);
        });
    assertThat(seen).hasSize(2);
    assertThat(log.logEnd()).isEqualTo(4);
  }

  @Test
  @Tag("L-3")
  void readPLog_overAHole_isCorrupted() {
    log.append(group(1, 5), INSERT_IF_NOT_EXISTS);
    rows.removePLog(APP, 0, 3);

    assertThatThrownBy(() -> plog(log))
        .isInstanceOf(StorageCorruptedException.class)
        .hasMessageContaining("PLog offset 3 of partition 0 of application 'shop' is missing");
  }

  @Test
  @Tag("L-3")
  void readPLog_overUnreadableBytes_isCorrupted() {
    log.append(group(1, 2), INSERT_IF_NOT_EXISTS);
    rows.putPLog(APP, 0, 2, bytes("rubbish"));

    assertThatThrownBy(() -> plog(log))
        .isInstanceOf(StorageCorruptedException.class)
        .hasMessageContaining("PLog offset 2");
  }

  @Test
  @Tag("L-3")
  void readPLog_ofReadablePlantedBytes_visitsThem() {
    PLogEvent planted = event(1);
    byte[] stored = planted.toBytes();
    rows.putPLog(APP, 0, 1, stored);
    stored[0] = 99;

    assertThat(plog(log)).as("the store keeps a copy").containsExactly(planted);
  }

  @Test
  void readPLog_fromBelowOne_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log.readPLog(0, event -> true))
        .withMessage("from must be >= 1, was 0");
  }

  @Test
  @Tag("L-6")
  void append_withoutItsPredecessor_isCorruptedInEveryMode() {
    log.append(List.of(event(1)), INSERT_IF_NOT_EXISTS);

    assertThatThrownBy(() -> log.append(List.of(event(3)), INSERT_IF_NOT_EXISTS))
        .isInstanceOf(StorageCorruptedException.class)
        .hasMessageContaining("PLog offset 3")
        .hasMessageContaining("ends at 1");
    assertThatThrownBy(() -> log.append(List.of(event(3)), PUT))
        .isInstanceOf(StorageCorruptedException.class);
    assertThat(log.logEnd()).isEqualTo(1);
  }

  @Test
  @Tag("L-7")
  void append_withinTheGroupLimit_isAcceptedAndBeyondRefused() {
    GroupLimit limit = log.groupLimit(1);
    assertThat(limit).isEqualTo(new GroupLimit(100, 250_000));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log.append(group(1, 101), INSERT_IF_NOT_EXISTS))
        .withMessageContaining("at most 100 events")
        .withMessageContaining("was 101 events");
    String large = "x".repeat(130_000);
    List<PLogEvent> tooManyBytes = List.of(event(1, 1, large), event(2, 1, large));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log.append(tooManyBytes, INSERT_IF_NOT_EXISTS));
    log.append(List.of(event(1, 1, large + large)), INSERT_IF_NOT_EXISTS);
    log.append(group(2, 101), INSERT_IF_NOT_EXISTS);
    assertThat(log.logEnd()).isEqualTo(101);
  }

  @Test
  void append_ofNothingOrWithAGap_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log.append(List.of(), INSERT_IF_NOT_EXISTS));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> log.append(List.of(event(1), event(3)), INSERT_IF_NOT_EXISTS))
        .withMessageContaining("was 1 and then 3");
    assertThat(log.logEnd()).isZero();
  }

  @Test
  @Tag("L-8")
  @Tag("T-1")
  @Tag("T-3")
  void insert_overAForeignEvent_isAViolationAndWritesNothingOfTheGroup() {
    log.append(List.of(event(1)), INSERT_IF_NOT_EXISTS);
    rows.putPLog(APP, 0, 3, event(3).toBytes());

    assertThatThrownBy(() -> log.append(group(2, 4), INSERT_IF_NOT_EXISTS))
        .asInstanceOf(type(SequenceViolationException.class))
        .returns("PLog offset 3", SequenceViolationException::key);
    assertThat(rows.hasPLog(APP, 0, 2)).as("2 was not written").isFalse();
    assertThat(rows.hasPLog(APP, 0, 4)).as("4 was not written").isFalse();
  }

  @Test
  @Tag("T-4")
  void put_overAForeignEvent_overwritesIt() {
    rows.putPLog(APP, 0, 1, bytes("rubbish"));
    List<PLogEvent> group = group(1, 2);
    log.append(group, PUT);

    assertThat(plog(log)).isEqualTo(group);
  }

  @Test
  @Tag("L-9")
  void append_repeated_isSuccessAlsoWhenTheEpochHasMovedOn() {
    List<PLogEvent> group = group(1, 2);
    log.append(group, INSERT_IF_NOT_EXISTS);
    log.append(group, INSERT_IF_NOT_EXISTS);
    IPartitionStorage newer = app.claim(0, "newer");
    newer.append(List.of(event(3)), INSERT_IF_NOT_EXISTS);
    log.append(group, INSERT_IF_NOT_EXISTS);
    log.append(group, PUT);

    assertThat(newer.logEnd()).isEqualTo(3);
    assertThat(plog(newer).subList(0, 2)).isEqualTo(group);
  }

  @Test
  @Tag("L-9")
  void append_repeatedAfterTheMark_keepsTheMark() {
    PLogEvent event = event(1);
    log.append(List.of(event), INSERT_IF_NOT_EXISTS);
    log.markCorrupted(1);
    log.append(List.of(event), PUT);

    assertThat(plog(log).get(0).header().corrupted()).isTrue();
  }

  @Test
  @Tag("L-13")
  void markCorrupted_ofALoggedEvent_keepsItsHeaderAndPayload() {
    PLogEvent event = event(1);
    log.append(List.of(event), INSERT_IF_NOT_EXISTS);
    log.markCorrupted(1);
    log.markCorrupted(1);

    assertThat(plog(log))
        .containsExactly(new PLogEvent(1, event.header().asCorrupted(), event.payload()));
  }

  @Test
  @Tag("L-13")
  void markCorrupted_byADeposedOwner_isFenced() {
    log.append(List.of(event(1)), INSERT_IF_NOT_EXISTS);
    app.claim(0, "newer");

    assertThatThrownBy(() -> log.markCorrupted(1)).isInstanceOf(FencedException.class);
    assertThat(plog(log).get(0).header().corrupted()).isFalse();
  }

  @Test
  void markCorrupted_ofNothingOrOfRubbish_isCorrupted() {
    rows.putPLog(APP, 0, 1, bytes("rubbish"));

    assertThatThrownBy(() -> log.markCorrupted(2))
        .isInstanceOf(StorageCorruptedException.class)
        .hasMessageContaining("PLog offset 2");
    assertThatThrownBy(() -> log.markCorrupted(1)).isInstanceOf(StorageCorruptedException.class);
  }

  @Test
  void append_thenChangeOfTheCallersArray_changesNothing() {
    PLogEvent event = event(1);
    log.append(List.of(event), INSERT_IF_NOT_EXISTS);
    event.payload()[0] ^= 1;
    plog(log).get(0).payload()[1] ^= 1;

    assertThat(plog(log).get(0).payload()).isEqualTo(bytes("event 1"));
  }
}
