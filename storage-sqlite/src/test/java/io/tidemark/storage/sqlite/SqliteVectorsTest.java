package io.tidemark.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.IAppStorage;
import io.tidemark.tck.vectors.VectorReport;
import io.tidemark.tck.vectors.VectorResult;
import io.tidemark.tck.vectors.VectorRunner;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteVectorsTest {
  /** The runner waits for it once, to find out that a second writer is turned away. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @TempDir private Path folder;

  @Test
  @Tag("Q-7")
  @Tag("Q-9")
  @Tag("Q-10")
  void sequenceVectors_passUnlessTheyHoldTwoWritersOpen() {
    try (IAppStorage application = Fixture.open(folder.resolve("vectors.db"), TIMEOUT)) {
      VectorReport report = VectorRunner.bundled().run(application);
      assertThat(report.failed()).isEmpty();
      assertThat(report.notApplicable())
          .extracting(VectorResult::name)
          .containsExactly(
              "interleaved-transactions-draw-distinct-numbers",
              "crash-later-draw-durable-earlier-not",
              "crash-earlier-draw-durable-later-not",
              "spi-commits-in-reverse-version-order");
      assertThat(report.notApplicable())
          .allSatisfy(
              each -> assertThat(each.detail()).contains("one transaction write at a time"));
    }
  }
}
