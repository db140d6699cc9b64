package io.tidemark.storage.memory;

import static io.tidemark.storage.memory.Fixture.APP;
import static io.tidemark.storage.memory.Fixture.SEQ;
import static io.tidemark.storage.memory.Fixture.event;
import static io.tidemark.storage.memory.Fixture.plog;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.FencedException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SeqValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Random histories against what the rules promise. */
class HistoriesTest {
  private static final Outcome[] OUTCOMES = Outcome.values();

  /** F-9, F-12, L-8, L-9: what was settled stays settled, what was acknowledged stays. */
  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void appends_ofTwoOwnersUnderAnyOutcome_endAsToldAndStay(
      @ForAll long seed, @ForAll WriteMode mode) {
    Random random = new Random(seed);
    MemoryStore store = new MemoryStore();
    IAppStorage app = store.open(APP, Layout.of(1));
    List<PLogEvent> settled = new ArrayList<>();
    List<IPartitionStorage> handles = new ArrayList<>(List.of(app.claim(0, "first")));
    for (int step = 0; step < 60; step++) {
      if (random.nextInt(10) == 0) {
        handles.add(app.claim(0, "owner " + step));
      }
      if (store.lateCount() > 0 && random.nextInt(3) == 0) {
        store.deliverLate(random.nextInt(store.lateCount()));
      }
      IPartitionStorage handle = handles.get(random.nextInt(handles.size()));
      List<PLogEvent> known = drive(store, handle, random, mode);
      if (!known.isEmpty()) {
        assertStartsWith(known, settled);
        settled = known;
      }
    }
    store.deliverLate();
    assertStartsWith(plog(app.reader(0)), settled);
  }

  private static void assertStartsWith(List<PLogEvent> log, List<PLogEvent> settled) {
    assertThat(log.subList(0, Math.min(log.size(), settled.size())))
        .as("the settled log only grows")
        .isEqualTo(settled);
  }

  /**
   * Appends once as an engine would; answers the log when it is known for certain, else nothing.
   */
  private static List<PLogEvent> drive(
      MemoryStore store, IPartitionStorage handle, Random random, WriteMode mode) {
    try {
      settle(handle);
      List<PLogEvent> before = plog(handle);
      List<PLogEvent> group = new ArrayList<>();
      for (int i = 1; i <= 1L + random.nextInt(3); i++) {
        group.add(event(before.size() + i, before.size() + 1, "event"));
      }
      store.script(OUTCOMES[random.nextInt(OUTCOMES.length)]);
      try {
        handle.append(group, mode);
        assertThat(plog(handle)).as("acknowledged").endsWith(group.toArray(PLogEvent[]::new));
      } catch (StorageUnavailableException refused) {
        assertThat(plog(handle)).as("refused").isEqualTo(before);
      } catch (OutcomeUnknownException unknown) {
        store.script(OUTCOMES[random.nextInt(OUTCOMES.length)]);
        settle(handle);
      }
      List<PLogEvent> after = plog(handle);
      assertThat(after.size()).isIn(before.size(), before.size() + group.size());
      return after;
    } catch (FencedException fenced) {
      return List.of();
    } finally {
      store.outcomes().clear();
    }
  }

  private static void settle(IPartitionStorage handle) {
    while (true) {
      try {
        handle.settle();
        return;
      } catch (FencedException fenced) {
        throw fenced;
      } catch (StorageException tryAgain) {
        // Neither a refused nor an unanswered settle decides anything: settle again.
      }
    }
  }

  /** S-7, S-8: numbers and offsets are the highest ever written, however the writes arrive. */
  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void seqData_underAnyOutcome_isTheHighestWritten(@ForAll long seed) {
    Random random = new Random(seed);
    MemoryStore store = new MemoryStore();
    IPartitionStorage partition = store.open(APP, Layout.of(1)).claim(0, "test");
    Map<Long, Long> highest = new HashMap<>();
    long offset = 1;
    for (int step = 0; step < 100; step++) {
      Outcome outcome = OUTCOMES[random.nextInt(OUTCOMES.length)];
      long wsid = random.nextInt(5);
      long number = 1L + random.nextInt(1000);
      long next = 1L + random.nextInt(1000);
      store.script(outcome);
      try {
        partition.writeValuesAndOffset(new SeqValues().add(wsid, SEQ, number), next);
      } catch (StorageException told) {
        assertThat(outcome).isNotIn(Outcome.APPLIED, Outcome.DUPLICATED);
      }
      if (outcome != Outcome.REFUSED && outcome != Outcome.UNKNOWN_LOST) {
        highest.merge(wsid, number, Math::max);
        offset = Math.max(offset, next);
      }
    }
    store.deliverLate();
    assertThat(partition.readNextPLogOffset()).isEqualTo(offset);
    highest.forEach(
        (wsid, number) ->
            assertThat(partition.readNumbers(wsid, new int[] {SEQ})).containsExactly(number));
  }

  /** A crash leaves exactly what was there at the last sync. */
  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void crash_afterAnyWrites_restoresTheLastSync(@ForAll long seed) {
    Random random = new Random(seed);
    MemoryStore store = MemoryStore.builder().untilSync().build();
    IAppStorage app = store.open(APP, Layout.of(1));
    String durable = dump(app);
    for (int step = 0; step < 60; step++) {
      if (random.nextInt(8) == 0) {
        store.sync();
        durable = dump(app);
      } else if (random.nextInt(8) == 0) {
        store.crash();
        assertThat(dump(app)).isEqualTo(durable);
      } else {
        writeAnything(store, app, random);
      }
    }
  }

  private static void writeAnything(MemoryStore store, IAppStorage app, Random random) {
    IPartitionStorage handle = app.claim(0, "owner " + random.nextInt(100));
    long number = 1L + random.nextInt(20);
    switch (random.nextInt(6)) {
      case 0 -> handle.append(List.of(event(handle.logEnd() + 1)), WriteMode.PUT);
      case 1 -> handle.putRecords(List.of(Fixture.created(number, number, "r")), WriteMode.PUT);
      case 2 -> handle.appendWLog(List.of(Fixture.wlog(number, number, "w")), WriteMode.PUT);
      case 3 ->
          handle.writeValuesAndOffset(
              new SeqValues().add(number % 3, (int) (250 + number), number), number);
      case 4 -> handle.rebuild().activate();
      default -> store.removeRecord(APP, Fixture.WS, number);
    }
  }

  /** Everything a reader can see. */
  private static String dump(IAppStorage app) {
    StringBuilder text = new StringBuilder();
    var reader = app.reader(0);
    text.append(reader.info()).append(reader.readNextPLogOffset());
    plog(reader).forEach(event -> text.append(event.header()));
    reader.scanRecords(row -> text.append(row.key()).append(row.plogOffset()) != null);
    reader.scanWLog(row -> text.append(row.key()).append(row.plogOffset()) != null);
    Map<String, Long> numbers = new TreeMap<>();
    reader.scanNumbers(
        (wsid, seqId, number) -> {
          numbers.put(wsid + "/" + seqId, number);
          return true;
        });
    return text.append(numbers).toString();
  }
}
