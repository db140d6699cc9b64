package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.SystemSequences;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RecordIdsTest {
  @ParameterizedTest
  @Tag("P-1")
  @CsvSource({
    "1, true, false, 0",
    "65535, true, false, 0",
    "65536, false, true, 0",
    "66047, false, true, 0",
    "66048, false, false, 0",
    "131071, false, false, 0",
    "322680000131071, false, false, 0",
    "322680000131072, false, false, 4",
    "322684999999999, false, false, 4",
    "322685000131071, false, false, 0",
    "322685000131072, false, false, 3",
    "322689999999999, false, false, 3",
    "322690000131072, false, false, 0",
  })
  void id_belongsToItsRegistersSequence_orToNone(
      long id, boolean raw, boolean singleton, int sequence) {
    assertThat(RecordIds.isRaw(id)).isEqualTo(raw);
    assertThat(RecordIds.isSingleton(id)).isEqualTo(singleton);
    assertThat(RecordIds.sequence(id)).isEqualTo(sequence);
    assertThat(RecordIds.register(id) * 5_000_000_000L + RecordIds.base(id)).isEqualTo(id);
    assertThat(SystemSequences.owrecordId().contains(id)).isEqualTo(sequence == 4);
    assertThat(SystemSequences.crecordId().contains(id)).isEqualTo(sequence == 3);
  }
}
