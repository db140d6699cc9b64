package io.tidemark.storage.cassandra;

import static io.tidemark.storage.cassandra.Fixture.created;
import static io.tidemark.storage.cassandra.Fixture.event;
import static io.tidemark.storage.cassandra.Fixture.updated;
import static io.tidemark.storage.cassandra.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.Layout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two clients whose clocks are two hours apart take turns. */
@Tag("I19")
class ClockSkewTest {

  @ParameterizedTest
  @EnumSource(TrustLevel.class)
  void owners_withClocksApart_seeEachOthersWritesInTheOrderTheyWereMade(TrustLevel level) {
    String name = Fixture.newApplication();
    Layout layout = Fixture.layout(level);
    try (CqlSession ahead = SkewedClock.session(Fixture.config(), Duration.ofHours(1));
        CqlSession behind = SkewedClock.session(Fixture.config(), Duration.ofHours(-1));
        IAppStorage first = CassandraStorageDriver.open(ahead, Fixture.config(), name, layout);
        IAppStorage second = CassandraStorageDriver.open(behind, Fixture.config(), name, null)) {
      long offset = 0;
      for (int turn = 0; turn < 6; turn++) {
        IAppStorage app = turn % 2 == 0 ? first : second;
        IPartitionStorage owner = app.claim(0, "turn " + turn);
        assertThat(owner.logEnd()).as("log end at turn %d", turn).isEqualTo(offset);
        offset++;
        owner.append(List.of(event(offset)), level.events());
        owner.appendWLog(List.of(wlog(offset, offset, "row " + offset)), level.events());
        owner.putRecords(
            List.of(created(100 + offset, offset, "new"), updated(1, offset, "of " + offset)),
            level.newRecords());
        owner.writeValuesAndOffset(Fixture.values(offset), offset + 1);

        for (IAppStorage each : List.of(first, second)) {
          assertThat(Fixture.plog(each.reader(0))).hasSize((int) offset);
          assertThat(Fixture.wlog(each.reader(0), Fixture.WS)).hasSize((int) offset);
          assertThat(each.reader(0).readRecord(Fixture.WS, 1))
              .isEqualTo(updated(1, offset, "of " + offset));
          assertThat(each.reader(0).readNumbers(Fixture.WS, new int[] {Fixture.SEQ}))
              .containsExactly(offset);
          assertThat(each.reader(0).readNextPLogOffset()).isEqualTo(offset + 1);
        }
      }
    }
  }

  @Test
  void sequences_withClocksApart_keepTheHighestVersion() {
    String name = Fixture.newApplication();
    Layout layout = Fixture.layout(TrustLevel.LEVEL_0);
    try (CqlSession ahead = SkewedClock.session(Fixture.config(), Duration.ofHours(1));
        CqlSession behind = SkewedClock.session(Fixture.config(), Duration.ofHours(-1));
        IAppStorage first = CassandraStorageDriver.open(ahead, Fixture.config(), name, layout);
        IAppStorage second = CassandraStorageDriver.open(behind, Fixture.config(), name, null)) {
      CassandraSequences one = ((CassandraAppStorage) first).sequences("one");
      CassandraSequences two = ((CassandraAppStorage) second).sequences("two");
      long id = one.create(ahead, SequenceDefinition.named("s").build());
      one.put(ahead, id, new VersionedValue(1, 10, true));
      two.put(behind, id, new VersionedValue(2, 5, true));

      for (ISequenceStorage<CqlSession> each : List.of(one, two)) {
        assertThat(each.getLatest(id)).isEqualTo(new VersionedValue(2, 5, true));
      }
    }
  }
}
