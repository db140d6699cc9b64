package io.tidemark.storage.cassandra;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.storage.cassandra.Fixture.BUCKET;
import static io.tidemark.storage.cassandra.Fixture.event;
import static io.tidemark.storage.cassandra.Fixture.plog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two owners: a claim stopped between its two steps, and races. */
class OwnersTest {
  private static final int OWNERS = 3;
  private static final int TERMS = 8;
  private static final int COMMANDS = 6;

  private CassandraAppStorage app;
  private IPartitionStorage old;

  @BeforeEach
  void open() {
    app = (CassandraAppStorage) Fixture.open(TrustLevel.LEVEL_0);
    old = app.claim(0, "old");
  }

  @AfterEach
  void close() {
    app.close();
  }

  private void fill(long last) {
    for (long offset = old.logEnd() + 1; offset <= last; offset++) {
      old.append(List.of(event(offset)), INSERT_IF_NOT_EXISTS);
    }
  }

  /** The first step of a claim, and no more. */
  private Epoch moveMetaRow() {
    Meta from = app.meta().read(0);
    Epoch to = from.epoch().next(UUID.randomUUID());
    assertThat(app.meta().move(0, from, to, "new", 0)).isTrue();
    return to;
  }

  @Test
  @Tag("F-12")
  void oldOwner_whoFilledTheBucketMeanwhile_cannotOpenTheNext() {
    fill(BUCKET - 1);
    Epoch claimed = moveMetaRow();

    fill(BUCKET); // the bucket is not fenced yet: this is in the log
    assertThatThrownBy(() -> old.append(List.of(event(BUCKET + 1)), INSERT_IF_NOT_EXISTS))
        .isInstanceOf(FencedException.class);

    assertThat(app.meta().read(0).epoch()).isEqualTo(claimed);
    IPartitionStorage next = app.claim(0, "new");
    assertThat(next.logEnd()).isEqualTo(BUCKET);
    next.append(List.of(event(BUCKET + 1)), INSERT_IF_NOT_EXISTS);
  }

  @Test
  @Tag("F-3")
  void fencedOwner_whoseLastAppendIsStillUnderWay_hasItRuledOutFirst() {
    fill(1);
    moveMetaRow(); // the new owner stands between meta row and bucket

    assertThatThrownBy(old::settle).isInstanceOf(FencedException.class);

    boolean applied = ((InsertLog) app.log(0)).insert(old.epoch(), List.of(event(2)));
    assertThat(applied).as("an append that was on its way when its owner was fenced").isFalse();
    assertThat(old.logEnd()).isOne();
  }

  @Test
  @Tag("F-12")
  void openedBucket_whoseOwnerDiedBeforeItsFirstEvent_isFencedByTheNextClaim() {
    fill(BUCKET);
    assertThat(app.meta().openNext(0, old.epoch(), 0, 0)).isTrue();

    IPartitionStorage next = app.claim(0, "new");

    boolean applied = ((InsertLog) app.log(0)).insert(old.epoch(), List.of(event(BUCKET + 1)));
    assertThat(applied).isFalse();
    next.append(List.of(event(BUCKET + 1)), INSERT_IF_NOT_EXISTS);
    assertThat(plog(next)).hasSize(BUCKET + 1);
  }

  @Test
  @Tag("F-9")
  void settle_thatStoppedHalfWay_isFinishedByTheNext() {
    fill(1);
    Epoch before = old.epoch();
    CassandraPartition handle = (CassandraPartition) old;
    Epoch claimed = moveMetaRow();

    // The same number as the handle's own next epoch would have: only the claim id tells them
    // apart.
    assertThat(claimed.number()).isEqualTo(before.number() + 1);
    assertThatThrownBy(handle::settle).isInstanceOf(FencedException.class);
    assertThat(handle.epoch()).isEqualTo(before);
  }

  @Test
  @Tag("I9")
  @Tag("I11")
  void owners_racingForOnePartition_loseAndRepeatNothing_stochastic() throws Exception {
    Set<UUID> acknowledged = ConcurrentHashMap.newKeySet();
    AtomicInteger fenced = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(OWNERS);
    try {
      List<Future<?>> owners = new ArrayList<>();
      for (int i = 0; i < OWNERS; i++) {
        String name = "owner " + i;
        owners.add(threads.submit(() -> race(name, acknowledged, fenced)));
      }
      for (Future<?> owner : owners) {
        owner.get(5, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }

    List<PLogEvent> log = plog(app.reader(0));
    Set<UUID> logged = log.stream().map(e -> e.header().writeId()).collect(Collectors.toSet());
    assertThat(logged).as("every event once").hasSize(log.size());
    assertThat(logged)
        .as("what is in the log was acknowledged, and the other way round")
        .isEqualTo(acknowledged);
    assertThat(log.size()).as("events, over several buckets").isGreaterThan(2 * BUCKET);
    assertThat(fenced.get()).as("times an owner was fenced").isPositive();
  }

  private void race(String name, Set<UUID> acknowledged, AtomicInteger fenced) {
    for (int term = 0; term < TERMS; term++) {
      IPartitionStorage handle = app.claim(0, name);
      try {
        for (int i = 0; i < COMMANDS; i++) {
          PLogEvent event = event(handle.logEnd() + 1);
          handle.append(List.of(event), INSERT_IF_NOT_EXISTS);
          acknowledged.add(event.header().writeId());
        }
      } catch (FencedException e) {
        fenced.incrementAndGet();
      } catch (SequenceViolationException | StorageCorruptedException e) {
        // A deposed owner must hear that it is fenced, and nothing else.
        throw new AssertionError("the epoch must be looked at before the rows", e);
      }
    }
  }
}
