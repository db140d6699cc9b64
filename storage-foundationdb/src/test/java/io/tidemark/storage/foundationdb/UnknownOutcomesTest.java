package io.tidemark.storage.foundationdb;

import static io.tidemark.storage.foundationdb.Fixture.APP;
import static io.tidemark.storage.foundationdb.Fixture.WS;
import static io.tidemark.storage.foundationdb.Fixture.bytes;
import static io.tidemark.storage.foundationdb.Fixture.event;
import static io.tidemark.storage.foundationdb.Fixture.plog;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.FencedException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import io.tidemark.storage.foundationdb.simulated.SimulatedCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.statistics.Statistics;

/**
 * Two owners take one partition from each other while commits conflict, get lost, or arrive later.
 * What an owner was told must hold for ever: an acknowledged event is in the log, a refused one is
 * not, and an unknown one is fixed once the handle has settled or was fenced.
 */
class UnknownOutcomesTest {
  private static final int STEPS = 40;

  /** One run, from one seed. */
  private static final class World {
    final SimulatedCluster simulation = new SimulatedCluster();
    final TestCluster cluster = TestCluster.simulated(simulation);
    final IAppStorage app;
    final IPartitionReader truth;
    final TrustLevel level;
    final Random random;
    final Map<UUID, Boolean> fixed = new HashMap<>();
    final IPartitionStorage[] owners = new IPartitionStorage[2];
    int unknown;
    int fenced;
    int repeated;

    World(long seed, TrustLevel level) {
      this.level = level;
      random = new Random(seed);
      app = cluster.open(APP, Layout.of(1));
      truth =
          FoundationDbAppStorage.open(
                  simulation.connectSafely(),
                  cluster.config(),
                  APP,
                  null,
                  simulation::nanoTime,
                  () -> {})
              .reader(0);
      simulation.faults().random(seed, 0.05, 0.4).readsTimeOut();
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        int who = random.nextInt(2);
        if (owners[who] == null) {
          claim(who);
        } else {
          write(who, random.nextInt(3) == 0 ? 3 : 1);
        }
        check();
      }
      simulation.faults().stop();
      simulation.deliverLate();
      check();
      checkRows();
    }

    private void claim(int who) {
      try {
        owners[who] = app.claim(0, "owner " + who);
      } catch (OutcomeUnknownException | StorageUnavailableException notNow) {
        repeated++;
      }
    }

    private void write(int who, int count) {
      IPartitionStorage owner = owners[who];
      try {
        long first = owner.logEnd() + 1;
        write(who, owner, group(first, count));
      } catch (StorageUnavailableException notRead) {
        repeated++;
      }
    }

    private static CommitGroup group(long first, int count) {
      List<PLogEvent> events = new ArrayList<>();
      List<RecordRow> records = new ArrayList<>();
      List<WLogRow> wlog = new ArrayList<>();
      for (long offset = first; offset < first + count; offset++) {
        PLogEvent event = event(offset, first, "event");
        byte[] id = bytes(event.header().writeId().toString());
        events.add(event);
        records.add(new RecordRow(WS, 1_000 + offset, offset, true, id));
        wlog.add(new WLogRow(WS, offset, offset, id));
      }
      return new CommitGroup(events, records, wlog);
    }

    private void write(int who, IPartitionStorage owner, CommitGroup group) {
      try {
        owner.commit(group, level);
        fix(group, true);
      } catch (StorageUnavailableException notWritten) {
        fix(group, false);
      } catch (OutcomeUnknownException e) {
        unknown++;
        settle(who, owner);
        fixAsLogged(group);
      } catch (FencedException e) {
        fenced++;
        owners[who] = null;
        fixAsLogged(group);
      }
    }

    /** Until it is decided, one way or the other. */
    private void settle(int who, IPartitionStorage owner) {
      while (true) {
        try {
          owner.settle();
          return;
        } catch (FencedException e) {
          fenced++;
          owners[who] = null;
          return;
        } catch (OutcomeUnknownException | StorageUnavailableException again) {
          repeated++;
        }
      }
    }

    private void fix(CommitGroup group, boolean isIn) {
      group.events().forEach(event -> fixed.put(event.header().writeId(), isIn));
    }

    private void fixAsLogged(CommitGroup group) {
      Set<UUID> logged = logged();
      List<UUID> ids = group.events().stream().map(event -> event.header().writeId()).toList();
      boolean isIn = logged.containsAll(ids);
      assertThat(isIn || ids.stream().noneMatch(logged::contains)).as("never a part").isTrue();
      fix(group, isIn);
    }

    private Set<UUID> logged() {
      Set<UUID> logged = new HashSet<>();
      plog(truth).forEach(event -> logged.add(event.header().writeId()));
      return logged;
    }

    private void check() {
      Set<UUID> logged = logged();
      fixed.forEach(
          (writeId, isIn) ->
              assertThat(logged.contains(writeId))
                  .as("event %s is in the log, as its owner was told", writeId)
                  .isEqualTo(isIn));
    }

    /** Every event has its record and its row, and nothing else has. */
    private void checkRows() {
      Map<Long, String> expected = new HashMap<>();
      for (PLogEvent event : plog(truth)) {
        expected.put(event.offset(), event.header().writeId().toString());
      }
      Map<Long, String> records = new HashMap<>();
      truth.scanRecords(
          row -> records.put(row.plogOffset(), NaiveDatabase.text(row.data())) == null);
      Map<Long, String> wlog = new HashMap<>();
      truth.scanWLog(row -> wlog.put(row.plogOffset(), NaiveDatabase.text(row.payload())) == null);
      assertThat(records).isEqualTo(expected);
      assertThat(wlog).isEqualTo(expected);
    }
  }

  @Property(tries = 80)
  @Tag("F-1")
  @Tag("F-2")
  @Tag("F-3")
  @Tag("F-9")
  @Tag("F-12")
  @Tag("L-12")
  void outcomes_underFaultsAndTakeovers_areWhatTheOwnersWereTold(
      @ForAll long seed, @ForAll TrustLevel level) {
    World world = new World(seed, level);
    world.run();
    Statistics.label("unknown outcomes were settled")
        .collect(world.unknown > 2)
        .coverage(checker -> checker.check(true).percentage(share -> share > 50));
    Statistics.label("calls were repeated")
        .collect(world.repeated > 0)
        .coverage(checker -> checker.check(true).percentage(share -> share > 50));
    Statistics.label("owners were fenced")
        .collect(world.fenced > 0)
        .coverage(checker -> checker.check(true).percentage(share -> share > 50));
  }
}
