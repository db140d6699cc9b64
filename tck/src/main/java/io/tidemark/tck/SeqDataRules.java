package io.tidemark.tck;

import static io.tidemark.tck.Made.OTHER_SEQ;
import static io.tidemark.tck.Made.SEQ;
import static io.tidemark.tck.Made.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.SeqValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;

/** Rules S-4 to S-10: the numbers of a partition. */
interface SeqDataRules extends StorageHarness {

  @Rule("S-4")
  @Property
  default void readNumbers_someStored_answersInTheOrderAskedAndZeroForAbsent(
      @ForAll @NotEmpty @Size(max = 12) List<@IntRange(min = 1, max = 65535) Integer> asked,
      @ForAll @Size(max = 6) Set<@IntRange(min = 1, max = 65535) Integer> others,
      @ForAll long bits) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspaceNear(bits);
    SeqValues batch = new SeqValues();
    Map<Integer, Long> stored = new HashMap<>();
    for (int i = 0; i < asked.size(); i += 2) {
      stored.put(asked.get(i), 1000L + i);
    }
    others.forEach(seqId -> stored.putIfAbsent(seqId, 7L));
    stored.forEach((seqId, number) -> batch.add(wsid, seqId, number));
    owner.writeValuesAndOffset(batch, 2);

    int[] seqIds = asked.stream().mapToInt(Integer::intValue).toArray();
    long[] expected = asked.stream().mapToLong(seqId -> stored.getOrDefault(seqId, 0L)).toArray();
    assertThat(owner.readNumbers(wsid, seqIds))
        .as("wrote %s, then read sequences %s of workspace %s", batch, asked, unsigned(wsid))
        .containsExactly(expected);
    assertThat(scene.reader().readNumbers(wsid, seqIds))
        .as("the same through a reader")
        .containsExactly(expected);
  }

  @Rule("S-5")
  @Property(tries = 5)
  default void readNumbers_throughAnotherConnection_seesEveryAcknowledgedWrite(
      @ForAll @Size(min = 1, max = 5) List<@LongRange(min = 1) Long> numbers) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(1);
    try (IAppStorage other = scene.openAgain()) {
      long highest = 0;
      for (int i = 0; i < numbers.size(); i++) {
        highest = Math.max(highest, numbers.get(i));
        owner.writeValuesAndOffset(value(wsid, SEQ, numbers.get(i)), i + 2);
        assertThat(other.reader(scene.partition()).readNumbers(wsid, new int[] {SEQ}))
            .as("wrote %s in this order, read after write %d", numbers, i + 1)
            .containsExactly(highest);
        assertThat(other.reader(scene.partition()).readNextPLogOffset())
            .as("next offset after write %d", i + 1)
            .isEqualTo(i + 2);
      }
    }
  }

  @Rule("S-6")
  @Example
  default void readNextPLogOffset_ofAFreshPartition_isOne() {
    Scene scene = Scene.of(this);
    assertThat(scene.claim().readNextPLogOffset())
        .as("next offset of a partition nobody wrote to")
        .isEqualTo(1);
    assertThat(scene.reader().readNextPLogOffset()).as("the same through a reader").isEqualTo(1);
  }

  @Rule("S-7")
  @Property
  default void write_ofManyKeys_storesEveryValueWithTheOffset(
      @ForAll @IntRange(min = 1, max = 60) int workspaces,
      @ForAll @IntRange(min = 1, max = 4) int sequences,
      @ForAll @LongRange(min = 2) long nextOffset) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    SeqValues batch = new SeqValues();
    for (int ws = 0; ws < workspaces; ws++) {
      for (int seq = 0; seq < sequences; seq++) {
        batch.add(scene.workspace(ws), SEQ + seq, 1 + 1000L * ws + seq);
      }
    }
    owner.writeValuesAndOffset(batch, nextOffset);
    assertThat(owner.readNextPLogOffset()).as("next offset after its write").isEqualTo(nextOffset);
    for (int i = 0; i < batch.size(); i++) {
      assertThat(owner.readNumbers(batch.wsid(i), new int[] {batch.seqId(i)}))
          .as(
              "value %d of %d, sequence %d of workspace %d, after an acknowledged write",
              i + 1, batch.size(), batch.seqId(i), batch.wsid(i))
          .containsExactly(batch.number(i));
    }
  }

  @Rule("S-8")
  @Property
  default void write_inAnyOrder_keepsTheLargestNumberAndOffset(
      @ForAll @Size(min = 2, max = 8) List<@LongRange(min = 1) Long> numbers,
      @ForAll @Size(min = 2, max = 8) List<@LongRange(min = 1) Long> offsets) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(1);
    long highest = 0;
    long furthest = 1;
    for (int i = 0; i < Math.min(numbers.size(), offsets.size()); i++) {
      owner.writeValuesAndOffset(value(wsid, SEQ, numbers.get(i)), offsets.get(i));
      highest = Math.max(highest, numbers.get(i));
      furthest = Math.max(furthest, offsets.get(i));
      assertThat(owner.readNumbers(wsid, new int[] {SEQ})[0])
          .as("wrote numbers %s in this order; after write %d the largest stays", numbers, i + 1)
          .isEqualTo(highest);
      assertThat(owner.readNextPLogOffset())
          .as("wrote offsets %s in this order; after write %d the largest stays", offsets, i + 1)
          .isEqualTo(furthest);
    }
  }

  @Rule("S-8")
  @Example
  default void write_lowNumberWithAHigherOffset_lowersNothing() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    owner.writeValuesAndOffset(value(wsid, SEQ, 100), 8);
    owner.writeValuesAndOffset(value(wsid, SEQ, 5), 9);
    assertThat(owner.readNumbers(wsid, new int[] {SEQ})[0])
        .as("wrote 100 at offset 8, then 5 at offset 9: numbers merge by number, not by offset")
        .isEqualTo(100);
    owner.writeValuesAndOffset(value(wsid, SEQ, 200), 3);
    assertThat(owner.readNextPLogOffset()).as("wrote offsets 8, 9, then 3").isEqualTo(9);
    assertThat(owner.readNumbers(wsid, new int[] {SEQ})[0])
        .as("wrote 100, 5, then 200 with a lower offset: the value counts all the same")
        .isEqualTo(200);
  }

  @Rule("S-8")
  @Example
  default void write_byADeposedOwner_lowersNothing() {
    Scene scene = Scene.of(this);
    long wsid = scene.workspace(0);
    IPartitionStorage old = scene.claim("old");
    IPartitionStorage owner = scene.claim("new");
    owner.writeValuesAndOffset(value(wsid, SEQ, 50), 51);
    old.writeValuesAndOffset(value(wsid, SEQ, 40), 41);
    assertThat(owner.readNumbers(wsid, new int[] {SEQ})[0])
        .as("the owner wrote 50, a deposed owner 40 after it")
        .isEqualTo(50);
    assertThat(owner.readNextPLogOffset()).as("and the offsets 51, then 41").isEqualTo(51);
  }

  @Rule("S-8")
  @Example
  default void write_extremeValues_areKeptExactly() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long[] workspaces = {
      scene.workspaceNear(0), scene.workspaceNear(Long.MAX_VALUE),
      scene.workspaceNear(Long.MIN_VALUE), scene.workspaceNear(-1)
    };
    int[] seqIds = {1, 65535};
    SeqValues batch = new SeqValues();
    for (long wsid : workspaces) {
      batch.add(wsid, 1, 1).add(wsid, 65535, Long.MAX_VALUE);
    }
    owner.writeValuesAndOffset(batch, Long.MAX_VALUE);
    for (long wsid : workspaces) {
      assertThat(owner.readNumbers(wsid, seqIds))
          .as("wrote 1 and %d for workspace %s", Long.MAX_VALUE, unsigned(wsid))
          .containsExactly(1, Long.MAX_VALUE);
    }
    owner.writeValuesAndOffset(value(workspaces[3], 65535, Long.MAX_VALUE - 1), 2);
    assertThat(owner.readNumbers(workspaces[3], seqIds)[1])
        .as("wrote %d, then one less", Long.MAX_VALUE)
        .isEqualTo(Long.MAX_VALUE);
    assertThat(owner.readNextPLogOffset())
        .as("wrote the offset %d, then 2", Long.MAX_VALUE)
        .isEqualTo(Long.MAX_VALUE);
  }

  @Rule("S-9")
  @Example
  default void write_emptyBatch_storesTheOffsetAlone() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    owner.writeValuesAndOffset(value(wsid, SEQ, 3), 4);
    owner.writeValuesAndOffset(new SeqValues(), 9);
    assertThat(owner.readNextPLogOffset())
        .as("wrote the offset 4, then 9 with an empty batch")
        .isEqualTo(9);
    assertThat(owner.readNumbers(wsid, new int[] {SEQ, OTHER_SEQ}))
        .as("an empty batch after 3 was written")
        .containsExactly(3, 0);
  }

  @Rule("S-10")
  @Property(tries = 10)
  default void writeSeqData_ofManyPartitions_keepsEachByItsOwnRules(
      @ForAll @IntRange(min = 1, max = 8) int count,
      @ForAll @LongRange(min = 2, max = 1_000_000) long number) {
    IPartitionStorage[] owners = new IPartitionStorage[count];
    long[] workspaces = new long[count];
    List<Scene> scenes = Scene.several(this, count);
    List<SeqDataBatch> first = new ArrayList<>();
    List<SeqDataBatch> second = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      owners[i] = scenes.get(i).claim();
      workspaces[i] = scenes.get(i).workspace(i);
      first.add(new SeqDataBatch(owners[i], value(workspaces[i], SEQ, number + i), 10 + i));
      long again = i % 2 == 0 ? number + i - 1 : number + i + 1;
      second.add(new SeqDataBatch(owners[i], value(workspaces[i], SEQ, again), 9 + 2L * i));
    }
    scenes.get(0).app().writeSeqData(first);
    scenes.get(0).app().writeSeqData(second);
    for (int i = 0; i < count; i++) {
      long highest = i % 2 == 0 ? number + i : number + i + 1;
      assertThat(owners[i].readNumbers(workspaces[i], new int[] {SEQ})[0])
          .as("partition %d of %d: wrote %d, then %d more or one less", i, count, number + i, 1)
          .isEqualTo(highest);
      assertThat(owners[i].readNextPLogOffset())
          .as("partition %d of %d: wrote the offset %d, then %d", i, count, 10 + i, 9 + 2 * i)
          .isEqualTo(Math.max(10 + i, 9 + 2L * i));
    }
  }

  private static String unsigned(long wsid) {
    return Long.toUnsignedString(wsid);
  }
}
