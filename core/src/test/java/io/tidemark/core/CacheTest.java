package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.SeqValues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The primitive tables against ordinary maps. */
final class CacheTest {

  private static final int NOT_PINNED = -1;

  @Property
  void kindTable_underAnyInsertsAndEvictions_findsExactlyWhatItHolds(
      @ForAll @Size(max = 300) List<@IntRange(min = -20, max = 60) Integer> operations) {
    KindTable table = new KindTable(2);
    Map<Long, Integer> slots = new HashMap<>();
    for (int operation : operations) {
      if (operation < 0) {
        boolean evicted = table.evict(NOT_PINNED);
        assertThat(evicted).isEqualTo(!slots.isEmpty());
        slots.keySet().removeIf(wsid -> table.find(wsid) == KindTable.NONE);
      } else if (!slots.containsKey((long) operation)) {
        int slot = KindTable.slot(table.insert(operation, operation % 2 == 0));
        table.values()[table.base(slot)] = operation * 3L;
        slots.put((long) operation, slot);
      }
      assertThat(table.numbers()).isEqualTo(slots.size() * 2L);
      slots.forEach(
          (wsid, slot) -> {
            int entry = table.find(wsid);
            assertThat(KindTable.slot(entry)).isEqualTo(slot);
            assertThat(KindTable.kindKnown(entry)).isEqualTo(wsid % 2 == 0);
            assertThat(table.values()[table.base(slot)]).isEqualTo(wsid * 3);
          });
    }
  }

  @Example
  void kindTable_evictingAllButThePinned_keepsItAndItsNumbers() {
    KindTable table = new KindTable(1);
    for (long wsid = 0; wsid < 50; wsid++) {
      int slot = KindTable.slot(table.insert(wsid, true));
      table.values()[table.base(slot)] = wsid * 7;
    }
    int pinned = KindTable.slot(table.find(31));
    for (int i = 0; i < 49; i++) {
      assertThat(table.evict(pinned)).isTrue();
    }
    assertThat(table.evict(pinned)).isFalse();
    assertThat(KindTable.slot(table.find(31))).isEqualTo(pinned);
    assertThat(table.values()[table.base(pinned)]).isEqualTo(31 * 7);
  }

  @Example
  void kindTable_removesAWorkspaceOfUnknownKindOnly() {
    KindTable table = new KindTable(1);
    table.insert(1, false);
    table.insert(2, false);
    table.setKindKnown(2);
    assertThat(table.removeOfUnknownKind(1)).isTrue();
    assertThat(table.removeOfUnknownKind(2)).isFalse();
    assertThat(table.removeOfUnknownKind(3)).isFalse();
    assertThat(table.find(1)).isEqualTo(KindTable.NONE);
    assertThat(KindTable.kindKnown(table.find(2))).isTrue();
  }

  @Property
  void flushQueue_underAnyMerges_keepsTheLargestOfEachKey(
      @ForAll @Size(max = 300) List<@IntRange(min = 0, max = 10_000) Integer> operations) {
    FlushQueue queue = new FlushQueue();
    Map<List<Long>, Long> model = new HashMap<>();
    for (int operation : operations) {
      long wsid = operation % 7L - 3;
      int seqId = 1 + operation % 5;
      long number = 1 + operation % 11L;
      queue.merge(wsid, seqId, number);
      model.merge(List.of(wsid, (long) seqId), number, Math::max);
    }
    FlushQueue other = new FlushQueue();
    other.takeAll(queue);
    assertThat(queue.isEmpty()).isTrue();
    SeqValues values = new SeqValues();
    other.copyTo(values);
    Map<List<Long>, Long> found = new HashMap<>();
    for (int i = 0; i < values.size(); i++) {
      found.put(List.of(values.wsid(i), (long) values.seqId(i)), values.number(i));
    }
    assertThat(found).isEqualTo(model);
    model.forEach(
        (key, number) -> {
          long[] overlaid = {number - 1, 0};
          other.overlay(key.get(0), new int[] {key.get(1).intValue(), 999}, overlaid);
          assertThat(overlaid).containsExactly(number, 0);
        });
  }

  @Property
  void flushQueue_takingEventsWhole_isTheSameAsTakingTheirNumbers(
      @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 10_000) Integer> events) {
    Cell[] cells = Kind.all(Fixture.TYPES)[0].newCells();
    FlushQueue whole = new FlushQueue();
    FlushQueue single = new FlushQueue();
    long number = 0;
    for (int event : events) {
      long wsid = event % 3;
      int[] touched = {event % cells.length, (event + 1) % cells.length};
      for (int index : touched) {
        cells[index].last = ++number;
        single.merge(wsid, cells[index].seqId, number);
      }
      whole.merge(wsid, cells, touched, event % 5 == 0 ? 1 : 2);
      if (event % 5 == 0) {
        whole.merge(wsid, cells[touched[1]].seqId, number);
      }
    }
    SeqValues expected = new SeqValues();
    SeqValues found = new SeqValues();
    single.copyTo(expected);
    whole.copyTo(found);
    assertThat(found).hasToString(expected.toString());
    assertThat(whole.size()).isEqualTo(single.size());
  }

  @Example
  void budget_withManyMembers_isNeverExceeded_andPoorOnesGetTheirShare() {
    CacheBudget budget = CacheBudget.of(30);
    Kind kind = Kind.all(Fixture.TYPES)[0];
    NumberCache rich = new NumberCache(new ShortLock(), budget, 2);
    NumberCache poor = new NumberCache(new ShortLock(), budget, 2);
    for (int wsid = 0; wsid < 100; wsid++) {
      assertThat(rich.insert(kind, wsid, true)).isNotEqualTo(KindTable.NONE);
      assertThat(budget.used()).isLessThanOrEqualTo(30);
    }
    assertThat(rich.used()).isEqualTo(30);
    for (int wsid = 0; wsid < 100; wsid++) {
      poor.insert(kind, wsid, true);
      assertThat(budget.used()).isLessThanOrEqualTo(30);
    }
    assertThat(poor.used()).isEqualTo(15);
    poor.close();
    rich.close();
    assertThat(budget.used()).isZero();
  }
}
