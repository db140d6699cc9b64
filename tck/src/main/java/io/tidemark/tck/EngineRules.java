package io.tidemark.tck;

import io.tidemark.api.ISequencer;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import java.time.Duration;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** Invariants I1 to I11, I13, I14, I16, I20 and I22: the real engine over the storage. */
interface EngineRules extends StorageHarness {

  @Rule({
    "I1", "I2", "I3", "I4", "I5", "I6", "I7", "I9", "I10", "I11", "I13", "I14", "I16", "I20", "S-3",
    "F-1", "F-2"
  })
  @Property(tries = 4, shrinking = ShrinkingMode.OFF)
  default void engine_underFaultsAndTakeovers_losesAndRepeatsNothing_stochastic(@ForAll long seed) {
    try (EngineRun run = new EngineRun(Scene.of(this), seed)) {
      run.run(3, 8);
    }
  }

  @Rule("I8")
  @NeedsRawAccess
  @Property(tries = 3, shrinking = ShrinkingMode.OFF)
  default void engine_recoveringFromAnyValidOffset_isInOneState(
      @ForAll @IntRange(min = 1, max = 6) int from, @ForAll long seed) {
    Scene scene = Scene.of(this);
    try (EngineRun run = new EngineRun(scene, seed)) {
      run.faults().calm();
      EngineRun.Owner first = run.claim();
      run.serve(first, 6);
      run.rest(first);
      long end = scene.reader().logEnd();
      scene.plantNextOffset(Math.min(from, end + 1));
      EngineRun.Owner second = run.claim();
      run.rest(second);
      EngineRun.Owner third = run.claim();
      run.serve(third, 3);
      run.rest(third);
    }
  }

  @Rule("I16")
  @Example
  default void engine_closedWhileTheStorageIsDown_returns() {
    try (EngineRun run = new EngineRun(Scene.of(this), 1)) {
      EngineRun.Owner owner = run.claim();
      ISequencer sequencer = owner.sequencer();
      run.serve(owner, 2);
      run.faults().down(true);
      new Crew().add(() -> sequencer.close(Duration.ofMillis(50))).work();
      run.faults().calm();
      EngineRun.Owner next = run.claim();
      run.serve(next, 2);
      run.rest(next);
    }
  }

  @Rule("I22")
  @Example
  default void engine_overTwoApplicationsWithIdenticalIds_keepsThemApart() {
    String name = Scenes.of(this).newName();
    try (IAppStorage one = open(name, layout(1, TrustLevel.LEVEL_0));
        IAppStorage two = open(name + "x", layout(1, TrustLevel.LEVEL_0));
        EngineRun first = new EngineRun(new Scene(this, one, 0, TrustLevel.LEVEL_0), 1);
        EngineRun second = new EngineRun(new Scene(this, two, 0, TrustLevel.LEVEL_0), 1)) {
      first.faults().calm();
      second.faults().calm();
      EngineRun.Owner firstOwner = first.claim();
      EngineRun.Owner secondOwner = second.claim();
      for (int i = 0; i < 4; i++) {
        first.serve(firstOwner, 2);
        second.serve(secondOwner, 1);
      }
      first.rest(firstOwner);
      second.rest(secondOwner);
    }
  }
}
