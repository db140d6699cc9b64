package io.tidemark.tck;

import static io.tidemark.tck.Made.OTHER_SEQ;
import static io.tidemark.tck.Made.SEQ;
import static io.tidemark.tck.Made.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.SeqValues;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** Rules S-1 and S-4 to S-9, for numbers beside somebody's own log. */
interface OwnNumbersRules extends SequencesHarness {

  @Rule("S-4")
  @Property
  default void readNumbers_someStored_answersInTheOrderAskedAndZeroForAbsent(
      @ForAll @LongRange(min = 1) long number, @ForAll long wsid) {
    ISeqStorage storage = openFresh();
    storage.writeValuesAndOffset(value(wsid, SEQ, number), 2);
    assertThat(storage.readNumbers(wsid, new int[] {OTHER_SEQ, SEQ, 65535, SEQ}))
        .as("wrote %d for sequence 256, read 257, 256, 65535, 256", number)
        .containsExactly(0, number, 0, number);
    assertThat(storage.readNumbers(wsid + 1, new int[] {SEQ}))
        .as("another workspace's number")
        .containsExactly(0);
  }

  @Rule("S-5")
  @Property
  default void reopen_afterWrites_seesEachOfThem(
      @ForAll @Size(min = 1, max = 5) List<@LongRange(min = 1) Long> numbers) {
    ISeqStorage storage = openFresh();
    long highest = 0;
    for (int i = 0; i < numbers.size(); i++) {
      storage.writeValuesAndOffset(value(7, SEQ, numbers.get(i)), i + 2);
      highest = Math.max(highest, numbers.get(i));
    }
    ISeqStorage again = reopen();
    assertThat(again.readNumbers(7, new int[] {SEQ}))
        .as("wrote %s in this order, then opened again", numbers)
        .containsExactly(highest);
    assertThat(again.readNextPLogOffset()).as("and the offset").isEqualTo(numbers.size() + 1);
  }

  @Rule("S-6")
  @Example
  default void readNextPLogOffset_ofAFreshStorage_isOne() {
    assertThat(openFresh().readNextPLogOffset()).as("next offset of a fresh storage").isEqualTo(1);
  }

  @Rule("S-7")
  @Property
  default void write_ofManyKeys_storesEveryValueWithTheOffset(
      @ForAll @IntRange(min = 1, max = 80) int count, @ForAll @LongRange(min = 2) long offset) {
    ISeqStorage storage = openFresh();
    SeqValues batch = new SeqValues();
    for (int i = 0; i < count; i++) {
      batch.add(i * 31L - 50, SEQ + i % 3, i + 1L);
    }
    storage.writeValuesAndOffset(batch, offset);
    for (int i = 0; i < count; i++) {
      assertThat(storage.readNumbers(batch.wsid(i), new int[] {batch.seqId(i)}))
          .as("value %d of %d after an acknowledged write", i + 1, count)
          .containsExactly(batch.number(i));
    }
    assertThat(storage.readNextPLogOffset()).as("the offset with them").isEqualTo(offset);
  }

  @Rule("S-8")
  @Property
  default void write_inAnyOrder_keepsTheLargestNumberAndOffset(
      @ForAll @Size(min = 2, max = 8) List<@LongRange(min = 1) Long> numbers) {
    ISeqStorage storage = openFresh();
    long highest = 0;
    for (int i = 0; i < numbers.size(); i++) {
      long number = numbers.get(i);
      highest = Math.max(highest, number);
      storage.writeValuesAndOffset(value(-1, SEQ, number), number);
      assertThat(storage.readNumbers(-1, new int[] {SEQ})[0])
          .as("wrote %s in this order; after write %d the largest stays", numbers, i + 1)
          .isEqualTo(highest);
      assertThat(storage.readNextPLogOffset()).as("the same of the offset").isEqualTo(highest);
    }
  }

  @Rule("S-9")
  @Example
  default void write_emptyBatch_storesTheOffsetAlone() {
    ISeqStorage storage = openFresh();
    storage.writeValuesAndOffset(value(1, SEQ, 3), 4);
    storage.writeValuesAndOffset(new SeqValues(), 9);
    assertThat(storage.readNextPLogOffset()).as("wrote 4, then 9 with nothing").isEqualTo(9);
    assertThat(storage.readNumbers(1, new int[] {SEQ})).as("the number").containsExactly(3);
  }

  @Rule({"S-1", "S-8"})
  @Property(tries = 3, shrinking = ShrinkingMode.OFF)
  default void write_byManyThreads_keepsTheLargest_stochastic(@ForAll long seed) {
    ISeqStorage storage = openFresh();
    AtomicLong highest = new AtomicLong();
    Crew crew = new Crew();
    for (int i = 0; i < 4; i++) {
      Random random = new Random(seed + i);
      crew.add(
          () -> {
            for (int step = 0; step < 20; step++) {
              long number = 1L + random.nextInt(100_000);
              storage.writeValuesAndOffset(value(1, SEQ, number), number + 1);
              highest.accumulateAndGet(number, Math::max);
            }
          });
    }
    crew.work();
    assertThat(storage.readNumbers(1, new int[] {SEQ})[0])
        .as("stored after many threads wrote at once")
        .isEqualTo(highest.get());
    assertThat(storage.readNextPLogOffset()).as("and the offset").isEqualTo(highest.get() + 1);
  }
}
