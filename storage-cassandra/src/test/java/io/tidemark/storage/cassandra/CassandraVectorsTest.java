package io.tidemark.storage.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.tck.vectors.VectorReport;
import io.tidemark.tck.vectors.VectorRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CassandraVectorsTest {

  @Test
  @Tag("Q-10")
  @Tag("Q-11")
  void sequenceVectors_thatNeedNoTransaction_allPass() {
    try (IAppStorage application = Fixture.open(TrustLevel.LEVEL_0)) {
      VectorReport report = VectorRunner.bundled().run(application);
      assertThat(report.failed()).isEmpty();
      assertThat(report.passed()).as("vectors that applied").hasSizeGreaterThan(80);
    }
  }
}
