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
  private static final Places PLACES = new Kinds(Fixture.TYPES).places();

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
        int slot = KindTable.base(table.insert(operation, operation % 2 == 0));
        table.values()[slot] = operation * 3L;
        slots.put((long) operation, slot);
      }
      assertThat(table.numbers()).isEqualTo(slots.size() * 2L);
      slots.forEach(
          (wsid, slot) -> {
            int entry = table.find(wsid);
            assertThat(KindTable.base(entry)).isEqualTo(slot);
            assertThat(KindTable.kindKnown(entry)).isEqualTo(wsid % 2 == 0);
            assertThat(table.values()[slot]).isEqualTo(wsid * 3);
          });
    }
  }

  @Example
  void kindTable_evictingAllButThePinned_keepsItAndItsNumbers() {
    KindTable table = new KindTable(1);
    for (long wsid = 0; wsid < 50; wsid++) {
      int slot = KindTable.base(table.insert(wsid, true));
      table.values()[slot] = wsid * 7;
    }
    int pinned = KindTable.base(table.find(31));
    for (int i = 0; i < 49; i++) {
      assertThat(table.evict(pinned)).isTrue();
    }
    assertThat(table.evict(pinned)).isFalse();
    assertThat(KindTable.base(table.find(31))).isEqualTo(pinned);
    assertThat(table.values()[pinned]).isEqualTo(31 * 7);
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
    FlushQueue queue = new FlushQueue(PLACES);
    Map<List<Long>, Long> model = new HashMap<>();
    for (int operation : operations) {
      long wsid = operation % 7L - 3;
      int seqId = 1 + operation % 20;
      long number = 1 + operation % 11L;
      queue.merge(wsid, seqId, number);
      model.merge(List.of(wsid, (long) seqId), number, Math::max);
    }
    FlushQueue other = new FlushQueue(PLACES);
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
  void flushQueue_usedAgainAndAgain_holdsWhatCameSinceItWasEmptied(
      @ForAll @IntRange(min = 0, max = 3) int kept) {
    FlushQueue queue = new FlushQueue(PLACES);
    SeqValues found = new SeqValues();
    for (int use = 1; use < 10_000; use++) { // more often than there are generations
      for (long wsid = 0; wsid <= use % 3 + kept; wsid++) {
        queue.merge(wsid, 300, use);
      }
      queue.copyTo(found);
      assertThat(found.size()).isEqualTo(use % 3 + kept + 1).isEqualTo(queue.size());
      assertThat(found.number(found.size() - 1)).isEqualTo(use);
      queue.clear();
      long[] overlaid = {0};
      queue.overlay(0, new int[] {300}, overlaid);
      assertThat(overlaid).containsExactly(0);
    }
  }

  @Example
  void flushQueue_withRoomForMoreThanTwiceWhatItHolds_holdsIt() {
    FlushQueue queue = new FlushQueue(PLACES);
    queue.merge(1, 300, 7);
    queue.reserve(100);
    for (long wsid = 2; wsid <= 101; wsid++) {
      queue.merge(
          queue.row(wsid, FlushQueue.block(PLACES.of(300))) + FlushQueue.inRow(PLACES.of(300)),
          wsid);
    }
    assertThat(queue.size()).isEqualTo(101);
    long[] overlaid = {0};
    queue.overlay(1, new int[] {300}, overlaid);
    assertThat(overlaid).containsExactly(7);
  }

  @Property
  void places_ofAnyIds_areTheirOwn(
      @ForAll @IntRange(min = 1, max = 65_535) int one,
      @ForAll @IntRange(min = 1, max = 65_535) int other) {
    assertThat(PLACES.seqId(PLACES.of(one))).isEqualTo(one);
    assertThat(PLACES.of(one) == PLACES.of(other)).isEqualTo(one == other);
  }

  @Example
  void flushQueue_mergingOneKeyOverAndOver_holdsOneNumber() {
    FlushQueue queue = new FlushQueue(PLACES);
    SeqValues event = new SeqValues();
    for (long number = 1; number <= 1000; number++) {
      event.add(7, 300, number); // keys may repeat
    }
    queue.mergeAll(event);
    assertThat(queue.size()).isEqualTo(1);
  }

  @Example
  void budget_withManyMembers_isNeverExceeded_andPoorOnesGetTheirShare() {
    CacheBudget budget = CacheBudget.of(30);
    Kind kind = Kind.all(Fixture.TYPES)[0];
    NumberCache rich =
        new NumberCache(new ShortLock(), budget, new OpenTransaction(new Kinds(Fixture.TYPES)), 2);
    NumberCache poor =
        new NumberCache(new ShortLock(), budget, new OpenTransaction(new Kinds(Fixture.TYPES)), 2);
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
