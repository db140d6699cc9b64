package io.tidemark.storage.cassandra;

import static io.tidemark.storage.cassandra.Fixture.wlog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.WLogRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node takes 16 MiB at once. An event a few hundred bytes below was accepted as a proposal and
 * could never be applied, and no claim got past it.
 */
class TooLargeTest {
  private static final int LIMIT = 16 << 20;

  private static PLogEvent event(long offset, int size) {
    return Fixture.event(offset, offset, "x".repeat(size));
  }

  @ParameterizedTest
  @EnumSource(TrustLevel.class)
  @Tag("F-11")
  @Tag("L-7")
  void event_nearWhatANodeTakes_isRefusedBeforeItIsSentAndTheLogGoesOn(TrustLevel level) {
    try (IAppStorage app = Fixture.open(level)) {
      IPartitionStorage owner = app.claim(0, "me");
      for (int below = 300; below < 600; below += 20) {
        PLogEvent large = event(1, LIMIT - below);
        assertThatThrownBy(() -> owner.append(List.of(large), level.events()))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("PLog offset 1 must have at most 8388608 bytes");
      }

      PLogEvent half = event(1, LIMIT / 2 - 1000);
      owner.append(List.of(half), level.events());
      IPartitionStorage next = app.claim(0, "next");
      assertThat(Fixture.plog(next)).containsExactly(half);
    }
  }

  @Test
  @Tag("L-4")
  void wlogRows_largeTogether_areInsertedInSeveralBatches() {
    try (IAppStorage app = Fixture.open(TrustLevel.LEVEL_0)) {
      IPartitionStorage owner = app.claim(0, "me");
      List<WLogRow> rows = new ArrayList<>();
      for (int i = 1; i <= Fixture.BUCKET; i++) {
        rows.add(wlog(i, i, "x".repeat(LIMIT / 2 - 10)));
      }
      // Sent as one batch this would be twice what a node takes.
      owner.appendWLog(rows, WriteMode.INSERT_IF_NOT_EXISTS);

      assertThat(Fixture.wlog(owner, Fixture.WS)).isEqualTo(rows);
      WLogRow large = wlog(9, 9, "x".repeat(LIMIT / 2 + 1));
      assertThatThrownBy(() -> owner.appendWLog(List.of(large), WriteMode.INSERT_IF_NOT_EXISTS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at most 8388608 bytes");
    }
  }

  @Test
  void sizes_followTheSettingsOfTheNode() {
    WriteSizes usual = new WriteSizes(8 << 20, 4 << 20);
    assertThat(WriteSizes.of(Map.of())).isEqualTo(usual).isEqualTo(WriteSizes.USUAL);
    assertThat(WriteSizes.of(Map.of(WriteSizes.SEGMENT, "8MiB")))
        .isEqualTo(new WriteSizes(2 << 20, 1 << 20));
    WriteSizes small = WriteSizes.of(Map.of(WriteSizes.MUTATION, "512KiB"));
    assertThat(small).isEqualTo(new WriteSizes(256 << 10, 128 << 10));
    assertThat(WriteSizes.of(Map.of(WriteSizes.MUTATION, "null", WriteSizes.SEGMENT, "32MiB")))
        .isEqualTo(usual);
    assertThat(usual.and(small)).isEqualTo(small.and(usual)).isEqualTo(small);
  }
}
