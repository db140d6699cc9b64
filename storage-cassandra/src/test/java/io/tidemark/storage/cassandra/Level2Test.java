package io.tidemark.storage.cassandra;

import static io.tidemark.api.WriteMode.PUT;
import static io.tidemark.storage.cassandra.Fixture.BUCKET;
import static io.tidemark.storage.cassandra.Fixture.event;
import static io.tidemark.storage.cassandra.Fixture.group;
import static io.tidemark.storage.cassandra.Fixture.plog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Puts ordered by epoch: what arrives late is not in the log, whoever reads it. */
class Level2Test {
  private CassandraAppStorage app;
  private IPartitionStorage handle;

  @BeforeEach
  void open() {
    app = (CassandraAppStorage) Fixture.open(TrustLevel.LEVEL_2);
    handle = app.claim(0, "first");
  }

  @AfterEach
  void close() {
    app.close();
  }

  /** A put that an earlier owner sent and that arrives now, as hints deliver it. */
  private void arrivesLate(Epoch sentUnder, List<PLogEvent> group) {
    ((PutLog) app.log(0)).put(sentUnder, group, 1);
  }

  private static List<PLogEvent> appendEach(IPartitionStorage owner, long first, long last) {
    List<PLogEvent> written = new ArrayList<>();
    for (long offset = first; offset <= last; offset++) {
      PLogEvent event = event(offset);
      owner.append(List.of(event), PUT);
      written.add(event);
    }
    return written;
  }

  @Test
  @Tag("L-2")
  @Tag("L-3")
  void append_acrossBuckets_isReadBackByEverybody() {
    List<PLogEvent> written = appendEach(handle, 1, BUCKET - 1);
    List<PLogEvent> group = group(BUCKET, BUCKET);
    handle.append(group, PUT);
    written.addAll(group);
    group = group(BUCKET + 1, 2 * BUCKET);
    handle.append(group, PUT);
    written.addAll(group);
    written.addAll(appendEach(handle, 2 * BUCKET + 1, 3 * BUCKET));

    assertThat(handle.logEnd()).isEqualTo(3 * BUCKET);
    assertThat(plog(app.reader(0))).isEqualTo(written);

    IPartitionStorage next = app.claim(0, "second");
    assertThat(plog(next)).isEqualTo(written);
    written.addAll(appendEach(next, 3 * BUCKET + 1, 3 * BUCKET + 2));
    assertThat(plog(app.reader(0))).isEqualTo(written);
  }

  @Test
  @Tag("F-12")
  void lateGroup_ofAnEarlierEpoch_isNeverInTheLog() {
    Epoch old = handle.epoch();
    List<PLogEvent> written = appendEach(handle, 1, 1);

    handle.settle();
    arrivesLate(old, group(2, 4));
    assertThat(handle.logEnd()).as("after a late group behind the known end").isOne();
    assertThat(plog(app.reader(0))).isEqualTo(written);

    written.addAll(appendEach(handle, 2, 2));
    arrivesLate(old, group(2, 4));
    assertThat(handle.logEnd()).as("one of its offsets was written anew").isEqualTo(2);
    assertThat(plog(app.reader(0))).isEqualTo(written);

    IPartitionStorage next = app.claim(0, "second");
    assertThat(plog(next)).as("as the next owner finds it").isEqualTo(written);
    written.addAll(appendEach(next, 3, BUCKET + 1));
    assertThat(plog(next)).isEqualTo(written);
  }

  @Test
  @Tag("F-9")
  void unknownPut_thatArrivedBeforeTheSettle_isInTheLogForGood() {
    List<PLogEvent> written = appendEach(handle, 1, 1);
    PLogEvent unknown = event(2);
    arrivesLate(handle.epoch(), List.of(unknown)); // sent, and no answer came back

    handle.settle();

    written.add(unknown);
    assertThat(plog(handle)).isEqualTo(written);
    written.addAll(appendEach(handle, 3, 3));
    app.claim(0, "second");
    assertThat(plog(app.reader(0))).isEqualTo(written);
  }

  @Test
  @Tag("T-4")
  void put_overAnEarlierOne_winsInTheOrderOfTheHandle() {
    appendEach(handle, 1, 2);
    for (int i = 0; i < 3; i++) {
      // Shorter each time: of equal time stamps Cassandra would keep the larger value.
      PLogEvent again = event(2, 2, "again".substring(i));
      handle.append(List.of(again), PUT);
      assertThat(plog(handle).get(1)).isEqualTo(again);
    }
  }

  @Test
  @Tag("L-6")
  void append_withoutItsPredecessor_isCorruption() {
    appendEach(handle, 1, 1);

    assertThatThrownBy(() -> handle.append(List.of(event(3)), PUT))
        .isInstanceOf(StorageCorruptedException.class)
        .hasMessageContaining("the log ends at 1");
  }

  @Test
  @Tag("F-9")
  void settle_byADeposedOwner_isFencedAndSoIsItsNextBucket() {
    appendEach(handle, 1, BUCKET);
    app.claim(0, "second");

    assertThatThrownBy(() -> handle.append(List.of(event(BUCKET + 1)), PUT))
        .isInstanceOf(FencedException.class);
    assertThatThrownBy(handle::settle).isInstanceOf(FencedException.class);
  }

  @ParameterizedTest
  @EnumSource(TrustLevel.class)
  @Tag("I9")
  @Tag("S-1")
  void settle_whileAnotherThreadAppends_losesNothing_stochastic(TrustLevel level) throws Exception {
    try (IAppStorage each = Fixture.open(level)) {
      IPartitionStorage owner = each.claim(0, "me");
      List<PLogEvent> acknowledged = new ArrayList<>();
      ExecutorService thread = Executors.newSingleThreadExecutor();
      try {
        Future<?> appends =
            thread.submit(
                () -> {
                  for (long offset = 1; offset <= 6 * BUCKET; offset++) {
                    PLogEvent event = event(offset);
                    owner.append(List.of(event), level.events());
                    acknowledged.add(event);
                  }
                });
        long first = owner.epoch().number();
        do {
          owner.settle();
        } while (!appends.isDone());
        appends.get();
        assertThat(owner.epoch().number() - first).as("settles between").isGreaterThan(1);
      } finally {
        thread.shutdownNow();
      }

      assertThat(plog(owner)).isEqualTo(acknowledged);
    }
  }

  @Test
  @Tag("L-13")
  void mark_ofAnEvent_isSeen() {
    appendEach(handle, 1, 3);

    handle.markCorrupted(2);

    assertThat(plog(app.reader(0)).get(1).header().corrupted()).isTrue();
    assertThatThrownBy(() -> handle.markCorrupted(4)).isInstanceOf(StorageCorruptedException.class);
  }

  @Test
  @Tag("T-2")
  void mode_ofAnotherLevel_isRefused() {
    assertThatThrownBy(() -> handle.append(List.of(event(1)), WriteMode.INSERT_IF_NOT_EXISTS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("LEVEL_2");
  }

  @Test
  void timestamp_ofALaterEpoch_isAboveEveryRepetitionOfTheEarlier() {
    long most = (1L << PutLog.REPEAT_BITS) - 1;

    assertThat(PutLog.timestamp(8, 0)).isGreaterThan(PutLog.timestamp(7, most));
    assertThat(PutLog.timestamp(1, 0))
        .as("above any clock of the next 100,000 years, in microseconds")
        .isGreaterThan(3_200_000_000_000_000_000L);
    assertThatThrownBy(() -> PutLog.timestamp(7, most + 1)).hasMessageContaining("settle");
  }
}
