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

  @Property
  void kindTable_underAnyInsertsAndEvictions_findsExactlyWhatItHolds(
      @ForAll @Size(max = 300) List<@IntRange(min = -20, max = 60) Integer> operations) {
    KindTable table = new KindTable(2);
    Map<Long, Integer> model = new HashMap<>();
    for (int operation : operations) {
      if (operation < 0) {
        boolean evicted = table.evict(KindTable.NONE);
        assertThat(evicted).isEqualTo(!model.isEmpty());
        model.keySet().removeIf(wsid -> table.find(wsid) == KindTable.NONE);
      } else if (!model.containsKey((long) operation)) {
        int slot = table.insert(operation);
        table.values()[table.base(slot)] = operation * 3L;
        model.put((long) operation, slot);
      }
      assertThat(table.numbers()).isEqualTo(model.size() * 2L);
      model.forEach(
          (wsid, slot) -> {
            assertThat(table.find(wsid)).isEqualTo(slot);
            assertThat(table.values()[table.base(slot)]).isEqualTo(wsid * 3);
          });
    }
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
        (key, number) ->
            assertThat(other.get(key.get(0), key.get(1).intValue())).isEqualTo(number));
  }

  @Example
  void budget_withManyMembers_isNeverExceeded_andPoorOnesGetTheirShare() {
    CacheBudget budget = CacheBudget.of(30);
    Kind kind = Kind.all(Fixture.TYPES)[0];
    NumberCache rich = new NumberCache(new ShortLock(), budget, 2);
    NumberCache poor = new NumberCache(new ShortLock(), budget, 2);
    for (int wsid = 0; wsid < 100; wsid++) {
      assertThat(rich.insert(kind, wsid)).isNotEqualTo(KindTable.NONE);
      assertThat(budget.used()).isLessThanOrEqualTo(30);
    }
    assertThat(rich.used()).isEqualTo(30);
    for (int wsid = 0; wsid < 100; wsid++) {
      poor.insert(kind, wsid);
      assertThat(budget.used()).isLessThanOrEqualTo(30);
    }
    assertThat(poor.used()).isEqualTo(15);
    poor.close();
    rich.close();
    assertThat(budget.used()).isZero();
  }
}
