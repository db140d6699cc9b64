package io.tidemark.storage.cassandra;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.storage.cassandra.Fixture.created;
import static io.tidemark.storage.cassandra.Fixture.event;
import static io.tidemark.storage.cassandra.Fixture.updated;
import static io.tidemark.storage.cassandra.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No node can be reached any more when a call of several writes has done the first of them. */
@Tag("F-1")
@Tag("F-2")
class PartFailuresTest {
  private final HookedSession hooked = new HookedSession(Fixture.session());
  private IAppStorage app;
  private IPartitionStorage owner;

  @BeforeEach
  void open() {
    app =
        CassandraStorageDriver.open(
            hooked.session(),
            Fixture.config(),
            Fixture.newApplication(),
            Fixture.layout(TrustLevel.LEVEL_0));
    owner = app.claim(0, "me");
  }

  @AfterEach
  void close() {
    app.close();
  }

  private void failAt(String table) {
    hooked.before(
        "INSERT INTO " + Fixture.KEYSPACE + "." + table + " ",
        () -> {
          throw new NoNodeAvailableException();
        });
  }

  private static void isUnknown(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(OutcomeUnknownException.class)
        .hasCauseInstanceOf(StorageUnavailableException.class);
  }

  @Test
  void firstWrite_refused_isToldAsNothingWritten() {
    failAt("records");

    assertThatThrownBy(
            () -> owner.putRecords(List.of(updated(100, 5, "own")), INSERT_IF_NOT_EXISTS))
        .isInstanceOf(StorageUnavailableException.class);
  }

  @Test
  void offset_refusedAfterItsNumbers_isUnknown() {
    failAt("next_offsets");
    isUnknown(() -> owner.writeValuesAndOffset(Fixture.values(7), 8));

    assertThat(owner.readNextPLogOffset()).isOne();
    assertThat(owner.readNumbers(Fixture.WS, new int[] {Fixture.SEQ})).containsExactly(7);
  }

  @Test
  void record_refusedAfterItsKey_isUnknown() {
    failAt("records");
    isUnknown(() -> owner.putRecords(List.of(created(100, 5, "own")), INSERT_IF_NOT_EXISTS));

    assertThatThrownBy(
            () -> owner.putRecords(List.of(created(100, 6, "other")), INSERT_IF_NOT_EXISTS))
        .as("the key is taken")
        .hasMessageContaining("100");
    owner.putRecords(List.of(created(100, 5, "own")), INSERT_IF_NOT_EXISTS);
  }

  @Test
  void rows_refusedAfterTheirEvent_areUnknown() {
    CommitGroup group =
        new CommitGroup(
            List.of(event(1)), List.of(created(100, 1, "own")), List.of(wlog(1, 1, "own")));
    failAt("wlog");
    isUnknown(() -> owner.commit(group, TrustLevel.LEVEL_0));

    assertThat(owner.logEnd()).isOne();
    owner.commit(group, TrustLevel.LEVEL_0);
    assertThat(Fixture.wlog(owner, Fixture.WS)).containsExactlyElementsOf(group.wlog());
  }

  @Test
  void oldGeneration_notDeletedAfterTheSwitch_isUnknown() {
    ISeqGeneration built = owner.rebuild();
    built.write(Fixture.values(7), 8);
    hooked.before(
        "DELETE FROM " + Fixture.KEYSPACE + ".numbers",
        () -> {
          throw new NoNodeAvailableException();
        });
    isUnknown(built::activate);

    built.activate();
    assertThat(app.claim(0, "next").readNextPLogOffset()).isEqualTo(8);
  }
}
