package io.tidemark.storage.cassandra;

import static io.tidemark.api.WriteMode.PUT;
import static io.tidemark.storage.cassandra.Fixture.event;
import static io.tidemark.storage.cassandra.Fixture.plog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** At level 2 the epoch moves, and then the end of the log is decided; readers come in between. */
class LogEndTest {
  private static final String MOVE = "UPDATE " + Fixture.KEYSPACE + ".partitions SET epoch";
  private static final String DECIDE = "UPDATE " + Fixture.KEYSPACE + ".partitions SET log_end";
  private static final String TAIL =
      "SELECT offset, epoch, event FROM " + Fixture.KEYSPACE + ".plog_puts";

  private final HookedSession hooked = new HookedSession(Fixture.session());
  private CassandraAppStorage owners;
  private CassandraAppStorage others;
  private IPartitionStorage owner;

  @BeforeEach
  void open() {
    String name = Fixture.newApplication();
    owners =
        (CassandraAppStorage)
            CassandraStorageDriver.open(
                hooked.session(), Fixture.config(), name, Fixture.layout(TrustLevel.LEVEL_2));
    others = (CassandraAppStorage) Fixture.open(name, null);
    owner = owners.claim(0, "owner");
    owner.append(List.of(event(1)), PUT);
  }

  @AfterEach
  void close() {
    owners.close();
    others.close();
  }

  /** A put that the owner had given up on arrives. */
  private void arrives(Epoch sentUnder, PLogEvent event) {
    ((PutLog) others.log(0)).put(sentUnder, List.of(event), 1);
  }

  /** The event arrives and is read by somebody else, just before the statement is sent. */
  private List<PLogEvent> arrivesAndIsShownBefore(String statement, PLogEvent late) {
    List<PLogEvent> shown = new ArrayList<>();
    Epoch old = owner.epoch();
    hooked.before(
        statement,
        () -> {
          arrives(old, late);
          shown.addAll(plog(others.reader(0)));
        });
    return shown;
  }

  @Test
  @Tag("F-9")
  @Tag("L-3")
  void event_shownToAReaderWhileItsOwnerSettles_isInTheLogForGood() {
    PLogEvent late = event(2);
    List<PLogEvent> shown = arrivesAndIsShownBefore(MOVE, late);

    owner.settle();

    assertThat(shown).as("what the reader saw").hasSize(2).contains(late);
    assertThat(plog(owner)).isEqualTo(shown);
    owner.append(List.of(event(3)), PUT);
    assertThat(plog(others.reader(0))).startsWith(shown.toArray(PLogEvent[]::new)).hasSize(3);
  }

  @Test
  @Tag("F-12")
  @Tag("L-3")
  void event_shownToAReaderWhileAnotherOwnerClaims_isInTheLogForGood() {
    List<PLogEvent> shown = arrivesAndIsShownBefore(MOVE, event(2));

    IPartitionStorage next = owners.claim(0, "next");

    assertThat(shown).as("what the reader saw").hasSize(2);
    assertThat(plog(next)).isEqualTo(shown);
  }

  @Test
  @Tag("F-9")
  void end_decidedByAReaderBeforeTheOwnerCould_isTheOwnersToo() {
    Epoch old = owner.epoch();
    hooked.before(
        DECIDE,
        () -> {
          assertThat(others.reader(0).logEnd()).isOne();
          arrives(old, event(2));
        });

    owner.settle();

    assertThat(owner.logEnd()).isOne();
    PLogEvent next = event(2);
    owner.append(List.of(next), PUT);
    assertThat(plog(others.reader(0))).hasSize(2).contains(next);
  }

  @Test
  @Tag("F-12")
  @Tag("L-2")
  void claim_thatStoppedBeforeTheEndWasDecided_losesNothing() {
    Epoch old = owner.epoch();
    Meta from = others.meta().read(0);
    Epoch stopped = old.next(UUID.randomUUID());
    assertThat(others.meta().move(0, from, stopped, "stopped", others.log(0).endToStore(from)))
        .isTrue();
    arrives(old, event(2));

    List<PLogEvent> shown = plog(others.reader(0));
    arrives(old, event(3));

    assertThat(shown).as("what had arrived when the end was decided").hasSize(2);
    assertThat(plog(others.reader(0))).isEqualTo(shown);
    assertThat(plog(owners.claim(0, "next"))).isEqualTo(shown);
  }

  @Test
  @Tag("L-2")
  void end_readWhileTheEpochMoves_countsNothingThatArrivesAfterwards() {
    Epoch old = owner.epoch();
    hooked.before(
        TAIL,
        () -> {
          others.claim(0, "next");
          arrives(old, event(2));
        });

    assertThatThrownBy(() -> owners.reader(0).logEnd())
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("read again");

    assertThat(owners.reader(0).logEnd()).isOne();
  }
}
