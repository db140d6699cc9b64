package io.tidemark.tck;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.api.WriteMode.PUT;
import static io.tidemark.tck.Made.event;
import static io.tidemark.tck.Made.plog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.StorageCapability;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Rules F-5 and F-7 to F-12: one owner at a time. */
interface FencingRules extends StorageHarness {

  @Rule({"F-5", "F-12"})
  @Property(tries = 4)
  default void append_byADeposedOwner_isFencedAndNeverAppears(
      @ForAll @IntRange(max = 3) int end, @ForAll @IntRange(max = 3) int newer) {
    fences(Scene.of(this), end, newer, INSERT_IF_NOT_EXISTS);
  }

  @Rule({"F-5", "F-12"})
  @RequiresCapability(StorageCapability.FENCING_AT_LEVEL_2)
  @Property(tries = 4)
  default void append_atLevel2ByADeposedOwner_isFencedAndNeverAppears(
      @ForAll @IntRange(max = 3) int end, @ForAll @IntRange(max = 3) int newer) {
    fences(Scene.of(this, TrustLevel.LEVEL_2), end, newer, PUT);
  }

  private void fences(Scene scene, int end, int newer, WriteMode mode) {
    long wsid = scene.workspace(0);
    IPartitionStorage old = scene.claim("old");
    for (long offset = 1; offset <= end; offset++) {
      old.append(List.of(event(wsid, offset)), mode);
    }
    IPartitionStorage owner = scene.claim("new");
    for (long offset = end + 1L; offset <= end + newer; offset++) {
      owner.append(List.of(event(wsid, offset)), mode);
    }
    List<PLogEvent> before = plog(owner);
    for (long offset = end + 1L; offset <= end + newer + 1L; offset++) {
      long target = offset;
      assertThatThrownBy(() -> old.append(List.of(event(wsid, target)), mode))
          .as("a deposed owner appends %d (%s); the log ends at %d", target, mode, end + newer)
          .isInstanceOf(FencedException.class);
    }
    assertThat(plog(owner)).as("the log after the fenced appends").isEqualTo(before);
  }

  @Rule("F-11")
  @Example
  default void claim_eachTime_answersANewEpoch() {
    Scene scene = Scene.of(this);
    Epoch first = scene.claim("first").epoch();
    Epoch second = scene.claim("second").epoch();
    assertThat(second.number())
        .as("epoch number after another claim")
        .isGreaterThan(first.number());
    assertThat(second.claimId()).as("claim id after another claim").isNotEqualTo(first.claimId());
    assertThat(scene.reader().info().epoch()).as("the stored epoch").isEqualTo(second);
    assertThat(scene.reader().info().owner()).as("the stored owner").isEqualTo("second");
  }

  @Rule("F-7")
  @Example
  default void reader_ofAnOwnedPartition_disturbsNobody() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    Epoch before = owner.epoch();
    owner.append(List.of(event(scene.workspace(0), 1)), INSERT_IF_NOT_EXISTS);
    assertThat(plog(scene.reader())).hasSize(1);
    assertThat(scene.reader().info().epoch()).as("epoch after a reader was used").isEqualTo(before);
    owner.append(List.of(event(scene.workspace(0), 2)), INSERT_IF_NOT_EXISTS);
    assertThat(owner.logEnd()).as("log end after the owner went on").isEqualTo(2);
  }

  @Rule("F-9")
  @Example
  default void settle_byTheOwner_movesItsEpochAndItGoesOn() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    Epoch before = owner.epoch();
    owner.append(List.of(event(scene.workspace(0), 1)), INSERT_IF_NOT_EXISTS);
    owner.settle();
    assertThat(owner.epoch().number()).as("epoch after settle").isGreaterThan(before.number());
    assertThat(scene.reader().info().epoch()).as("the stored epoch").isEqualTo(owner.epoch());
    owner.append(List.of(event(scene.workspace(0), 2)), INSERT_IF_NOT_EXISTS);
    assertThat(owner.logEnd()).as("log end after an append behind the settle").isEqualTo(2);
  }

  @Rule("F-9")
  @Example
  default void settle_byADeposedOwner_isFencedAndDisturbsNobody() {
    Scene scene = Scene.of(this);
    IPartitionStorage old = scene.claim("old");
    IPartitionStorage owner = scene.claim("new");
    assertThatThrownBy(old::settle)
        .as("a deposed owner settles")
        .isInstanceOf(FencedException.class);
    owner.append(List.of(event(scene.workspace(0), 1)), INSERT_IF_NOT_EXISTS);
    assertThat(owner.logEnd()).as("log end after the owner went on").isEqualTo(1);
  }

  @Rule("F-10")
  @Example
  default void storeFailure_outlivesAnotherOpenAndIsCleared() {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    assertThat(owner.failure()).as("failure of a fresh partition").isNull();
    PartitionFailure failure = new PartitionFailure("PLog offset 3", "somebody else's event");
    owner.storeFailure(failure);
    try (IAppStorage other = scene.openAgain()) {
      IPartitionStorage next = other.claim(scene.partition(), "next");
      assertThat(next.failure()).as("failure after another claim").isEqualTo(failure);
      assertThat(scene.reader().info().failure()).as("the same in info").isEqualTo(failure);
      assertThatThrownBy(() -> owner.storeFailure(null))
          .as("a deposed owner clears the failure")
          .isInstanceOf(FencedException.class);
      assertThat(next.failure()).as("failure after a refused clearing").isEqualTo(failure);
      next.storeFailure(null);
      assertThat(next.failure()).as("failure after it was cleared").isNull();
    }
  }
}
