package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidemark.spi.StorageUri;
import io.tidemark.storage.memory.MemoryStorageDriver;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

final class BenchConfigTest {
  private static BenchConfig config(long events) {
    return new BenchConfig(
        EnumSet.of(Part.STORAGE),
        true,
        new MemoryStorageDriver(),
        StorageUri.parse("memory:bench"),
        events,
        what -> {});
  }

  @Test
  void events_tooFewOrNoWholeThousands_areNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> config(1000))
        .withMessageContainingAll("events", "2000", "1000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> config(12_345))
        .withMessageContainingAll("thousands", "12345");
  }

  @Test
  void storage_withoutAPlainWayIn_isNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Bench.run(config(2000)))
        .withMessageContainingAll("'memory'", "sqlite:", "cassandra:");
  }

  @Test
  void parts_areNamedAsPeopleWriteThem() {
    assertThat(Part.values())
        .extracting(Part::toString)
        .containsExactly("transactions", "replay", "counts", "start-up", "storage");
  }
}
