package io.tidemark.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class SequenceTypesTest {

  @Test
  void platform_givesTheSystemSequencesTheirRegisters() {
    SequenceTypes types = SequenceTypes.builder().platform(1).build();
    assertThat(types.kinds().get(1).get(SystemSequences.OWRECORD_ID))
        .extracting(SequenceDefinition::min, SequenceDefinition::max)
        .containsExactly(322680000131072L, 322684999999999L);
    assertThat(types.kinds().get(1).get(SystemSequences.CRECORD_ID))
        .extracting(SequenceDefinition::min, SequenceDefinition::max)
        .containsExactly(322685000131072L, 322689999999999L);
  }

  @Test
  void build_withWhatAPartitionCannotCount_isRefused() {
    assertRefused(300, SequenceDefinition.named("s").increment(-1).build(), "increment");
    assertRefused(300, SequenceDefinition.named("s").min(0L).build(), "min must be >= 1, was 0");
    assertRefused(300, SequenceDefinition.named("s").start(5L).build(), "start must equal min");
    assertRefused(300, SequenceDefinition.named("s").cycle(true).build(), "cycle");
    assertRefused(1, SequenceDefinition.named("s").build(), "seqId 1 is reserved");
    assertRefused(255, SequenceDefinition.named("s").build(), "seqId 255 is reserved");
    assertRefused(65536, SequenceDefinition.named("s").build(), "seqId must be 1..65535");
  }

  private static void assertRefused(int seqId, SequenceDefinition definition, String message) {
    SequenceTypes.Builder builder = SequenceTypes.builder().sequence(1, seqId, definition);
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  @Tag("T-2")
  void trustLevel_decidesTheWriteModes() {
    WriteMode insert = WriteMode.INSERT_IF_NOT_EXISTS;
    assertThat(TrustLevel.of(0).events()).isEqualTo(insert);
    assertThat(TrustLevel.of(0).newRecords()).isEqualTo(insert);
    assertThat(TrustLevel.of(1).events()).isEqualTo(insert);
    assertThat(TrustLevel.of(1).newRecords()).isEqualTo(WriteMode.PUT);
    assertThat(TrustLevel.of(2).events()).isEqualTo(WriteMode.PUT);
    assertThat(TrustLevel.of(2).newRecords()).isEqualTo(WriteMode.PUT);
    assertThatThrownBy(() -> TrustLevel.of(3)).hasMessage("trust level must be 0, 1 or 2, was 3");
  }
}
