package io.tidemark.tck.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class VectorRunnerTest {

  @Test
  @Tag("I17")
  @Tag("Q-4")
  @Tag("Q-6")
  @Tag("Q-7")
  void bundledVectors_onMemory_allPass() {
    VectorReport report = VectorRunner.bundled().run(new MemoryStore().open("v", Layout.of(1)));
    assertThat(report.failed()).isEmpty();
    assertThat(report.notApplicable()).isEmpty();
    assertThat(report.passed()).hasSize(105);
    assertThat(report).hasToString("105 passed, 0 failed");
  }
}
