package io.tidemark.storage.foundationdb;

import static io.tidemark.storage.foundationdb.Fixture.APP;
import static io.tidemark.storage.foundationdb.Fixture.SEQ;
import static io.tidemark.storage.foundationdb.Fixture.WS;
import static io.tidemark.storage.foundationdb.Fixture.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.Layout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class GenerationTest {
  private static final int[] IDS = {SEQ};

  private final TestCluster cluster = TestCluster.start();
  private final IAppStorage app = cluster.open(APP, Layout.of(1));
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
}
