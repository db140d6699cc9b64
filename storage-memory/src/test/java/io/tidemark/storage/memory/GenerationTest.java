package io.tidemark.storage.memory;

import static io.tidemark.storage.memory.Fixture.APP;
import static io.tidemark.storage.memory.Fixture.SEQ;
import static io.tidemark.storage.memory.Fixture.WS;
import static io.tidemark.storage.memory.Fixture.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.Layout;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class GenerationTest {
  private static final int[] IDS = {SEQ};

  private final MemoryStore store = new MemoryStore();
  private final IAppStorage app = store.open(APP, Layout.of(1));
  private final IPartitionStorage owner = app.claim(0, "test");
  private final IPartitionReader reader = app.reader(0);

  @Test
  @Tag("S-12")
  void rebuild_untilActivated_isReadByNobody() {
    owner.writeValuesAndOffset(values(9), 9);
    ISeqGeneration next = owner.rebuild();
    next.write(values(5), 6);

    assertThat(next.generation()).isEqualTo(2);
    assertThat(reader.readNumbers(WS, IDS)).containsExactly(9);
    next.activate();
    next.activate();
    assertThat(reader.readNumbers(WS, IDS)).as("a rebuild may correct").containsExactly(5);
    assertThat(reader.readNextPLogOffset()).isEqualTo(6);
    assertThat(reader.info().generation()).isEqualTo(2);
    assertThat(app.claim(0, "next").readNumbers(WS, IDS)).containsExactly(5);
  }

  @Test
  @Tag("S-11")
  void rebuild_afterAnUnfinishedOne_goesOnWhereThatStopped() {
    ISeqGeneration first = owner.rebuild();
    assertThat(first.nextOffset()).isEqualTo(1);
    first.write(values(5), 6);
    first.write(values(4), 3);

    ISeqGeneration resumed = app.claim(0, "next").rebuild();
    assertThat(resumed.generation()).isEqualTo(first.generation());
    assertThat(resumed.nextOffset()).isEqualTo(6);
    resumed.activate();
    assertThat(reader.readNumbers(WS, IDS)).containsExactly(5);
  }

  @Test
  @Tag("S-11")
  void rebuild_afterAFinishedOne_startsAnew() {
    ISeqGeneration first = owner.rebuild();
    first.write(values(5), 6);
    first.activate();

    ISeqGeneration second = app.claim(0, "next").rebuild();
    assertThat(second.generation()).isEqualTo(3);
    assertThat(second.nextOffset()).isEqualTo(1);
  }

  @Test
  @Tag("S-12")
  void activate_byADeposedOwner_isFencedAndDeletesNothing() {
    owner.writeValuesAndOffset(values(9), 9);
    ISeqGeneration next = owner.rebuild();
    IPartitionStorage newer = app.claim(0, "newer");

    assertThatThrownBy(next::activate).isInstanceOf(FencedException.class);
    assertThatThrownBy(owner::rebuild).isInstanceOf(FencedException.class);
    assertThat(newer.readNumbers(WS, IDS)).containsExactly(9);
  }

  @Test
  @Tag("F-8")
  void write_throughAHandleOfAnOlderGeneration_landsWhereNobodyReads() {
    IPartitionStorage newer = app.claim(0, "newer");
    ISeqGeneration next = newer.rebuild();
    owner.writeValuesAndOffset(values(100), 50);
    next.write(values(5), 6);
    next.activate();
    owner.writeValuesAndOffset(values(200), 60);

    assertThat(reader.readNumbers(WS, IDS)).containsExactly(5);
    assertThat(reader.readNextPLogOffset()).isEqualTo(6);
  }

  @Test
  @Tag("F-8")
  void read_throughAHandleOfAReplacedGeneration_isFencedNotZero() {
    owner.writeValuesAndOffset(values(9), 9);
    owner.rebuild().activate();

    assertThatThrownBy(() -> owner.readNumbers(WS, IDS))
        .isInstanceOf(FencedException.class)
        .hasMessageContaining("generation 1")
        .hasMessageContaining("replaced by 2");
    assertThatThrownBy(owner::readNextPLogOffset).isInstanceOf(FencedException.class);
  }

  @Test
  void rebuildAndActivate_deliveredTwice_changeNothing() {
    store.outcomes().script(StorageCall.REBUILD, Outcome.DUPLICATED);
    store.outcomes().script(StorageCall.ACTIVATE, Outcome.DUPLICATED);
    ISeqGeneration next = owner.rebuild();
    next.write(values(5), 6);
    next.activate();
    store.deliverLate();

    assertThat(reader.info().generation()).isEqualTo(2);
    assertThat(reader.readNumbers(WS, IDS)).containsExactly(5);
    assertThat(app.claim(0, "next").rebuild().generation())
        .as("the repetition began no third one")
        .isEqualTo(3);
  }

  @Test
  void generation_thatACrashUndid_isNotActivatedAndItsNumberNotReused() {
    MemoryStore lossy = MemoryStore.builder().untilSync().build();
    IPartitionStorage handle = lossy.open(APP, Layout.of(1)).claim(0, "test");
    handle.writeValuesAndOffset(values(9), 9);
    lossy.sync();
    ISeqGeneration lost = handle.rebuild();
    lossy.crash();
    lost.write(values(5), 6);

    assertThatThrownBy(lost::activate).isInstanceOf(StorageCorruptedException.class);
    ISeqGeneration next = handle.rebuild();
    assertThat(List.of(next.generation(), next.nextOffset())).containsExactly(3L, 1L);
    next.activate();
    lossy.crash();
    assertThat(handle.readNumbers(WS, IDS)).as("the switch was lost").containsExactly(9);
  }
}
