package io.tidemark.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.IAppStorage;
import io.tidemark.tck.vectors.VectorReport;
import io.tidemark.tck.vectors.VectorRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PostgresVectorsTest {

  @Test
  @Tag("Q-7")
  @Tag("Q-9")
  @Tag("Q-10")
  void sequenceVectors_allApplyAndPass() {
    try (IAppStorage application = Fixture.openNew()) {
      VectorReport report = VectorRunner.bundled().run(application);
      assertThat(report.failed()).isEmpty();
      assertThat(report.notApplicable()).isEmpty();
    }
  }
}
