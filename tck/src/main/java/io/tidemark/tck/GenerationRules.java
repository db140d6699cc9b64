package io.tidemark.tck;

import static io.tidemark.tck.Made.SEQ;
import static io.tidemark.tck.Made.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import net.jqwik.api.Example;

/** Rules S-11, S-12 and F-8: numbers are rebuilt beside the ones in use, then switched to. */
interface GenerationRules extends StorageHarness {

  @Rule("S-11")
  @Example
  default void rebuild_byANewOwner_goesOnWhereTheLastOneStopped() {
    Scene scene = Scene.of(this);
    long wsid = scene.workspace(0);
    IPartitionStorage first = scene.claim("first");
    first.writeValuesAndOffset(value(wsid, SEQ, 90), 91);
    ISeqGeneration begun = first.rebuild();
    assertThat(begun.nextOffset()).as("next offset of a new generation").isEqualTo(1);
    begun.write(value(wsid, SEQ, 10), 11);
    assertThat(begun.nextOffset()).as("next offset after building up to 10").isEqualTo(11);

    IPartitionStorage second = scene.claim("second");
    ISeqGeneration resumed = second.rebuild();
    assertThat(resumed.generation())
        .as("the generation an earlier rebuild left")
        .isEqualTo(begun.generation());
    assertThat(resumed.nextOffset()).as("where building goes on").isEqualTo(11);
    resumed.write(value(wsid, SEQ, 5), 4);
    resumed.write(value(wsid, SEQ, 20), 21);
    resumed.activate();
    IPartitionStorage third = scene.claim("third");
    assertThat(third.readNumbers(wsid, new int[] {SEQ}))
        .as("built 10, 5 and 20 over two owners; the largest stays")
        .containsExactly(20);
    assertThat(third.readNextPLogOffset()).as("and the furthest offset").isEqualTo(21);
  }

  @Rule("S-12")
  @Example
  default void rebuild_untilActivated_isReadByNobody() {
    Scene scene = Scene.of(this);
    long wsid = scene.workspace(0);
    IPartitionStorage owner = scene.claim();
    owner.writeValuesAndOffset(value(wsid, SEQ, 7), 8);
    ISeqGeneration building = owner.rebuild();
    building.write(value(wsid, SEQ, 70), 71);
    assertThat(owner.readNumbers(wsid, new int[] {SEQ}))
        .as("the owner's number while another generation is built")
        .containsExactly(7);
    assertThat(scene.reader().readNumbers(wsid, new int[] {SEQ}))
        .as("a reader's number while another generation is built")
        .containsExactly(7);
    assertThat(owner.readNextPLogOffset()).as("the owner's next offset").isEqualTo(8);
    building.activate();
    assertThat(scene.reader().readNumbers(wsid, new int[] {SEQ}))
        .as("a reader's number after the switch")
        .containsExactly(70);
    assertThat(scene.reader().readNextPLogOffset()).as("and its next offset").isEqualTo(71);
    assertThat(scene.reader().info().generation())
        .as("the generation in use")
        .isEqualTo(building.generation());
  }

  @Rule("S-12")
  @Example
  default void activate_byADeposedOwner_isFencedAndSwitchesNothing() {
    Scene scene = Scene.of(this);
    long wsid = scene.workspace(0);
    IPartitionStorage old = scene.claim("old");
    old.writeValuesAndOffset(value(wsid, SEQ, 7), 8);
    ISeqGeneration building = old.rebuild();
    building.write(value(wsid, SEQ, 3), 4);
    IPartitionStorage owner = scene.claim("new");
    assertThatThrownBy(building::activate)
        .as("a deposed owner activates its generation")
        .isInstanceOf(FencedException.class);
    assertThat(owner.readNumbers(wsid, new int[] {SEQ}))
        .as("the new owner's number after the refused switch")
        .containsExactly(7);
    assertThat(owner.readNextPLogOffset()).as("and its next offset").isEqualTo(8);
  }

  @Rule("F-8")
  @Example
  default void handle_whoseGenerationWasReplaced_readsNothingAndWritesWhereNobodyReads() {
    Scene scene = Scene.of(this);
    long wsid = scene.workspace(0);
    IPartitionStorage old = scene.claim("old");
    old.writeValuesAndOffset(value(wsid, SEQ, 90), 91);
    IPartitionStorage owner = scene.claim("new");
    ISeqGeneration building = owner.rebuild();
    building.write(value(wsid, SEQ, 10), 11);
    building.activate();
    assertThatThrownBy(() -> old.readNumbers(wsid, new int[] {SEQ}))
        .as("numbers of a replaced generation; reading them as absent would issue them again")
        .isInstanceOf(FencedException.class);
    assertThatThrownBy(old::readNextPLogOffset)
        .as("next offset of a replaced generation")
        .isInstanceOf(FencedException.class);
    try {
      old.writeValuesAndOffset(value(wsid, SEQ, 95), 96);
    } catch (FencedException refused) {
      assertThat(refused).as("a refusal of the late flush is as good").isNotNull();
    }
    IPartitionStorage next = scene.claim("next");
    assertThat(next.readNumbers(wsid, new int[] {SEQ}))
        .as("rebuilt 10; a late flush of 95 belongs to the replaced generation")
        .containsExactly(10);
    assertThat(next.readNextPLogOffset()).as("and its next offset").isEqualTo(11);
  }
}
