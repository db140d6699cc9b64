package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.api.FencedException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.SeqValues;
import io.tidemark.storage.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CountedAppTest {
  private final MemoryStore store = new MemoryStore();
  private final CountedApp app = new CountedApp(store.open("bench", Layout.of(2)));
  private final IPartitionStorage first = app.claim(0, "test");
  private final IPartitionStorage second = app.claim(1, "test");

  @Test
  void writes_ofOneAndOfMany_countOnceEach() {
    first.writeValuesAndOffset(new SeqValues().add(0, 256, 7), 1);
    app.writeSeqData(
        List.of(
            new SeqDataBatch(first, new SeqValues().add(0, 256, 8), 2),
            new SeqDataBatch(second, new SeqValues().add(1, 256, 9), 2)));

    assertThat(app.writes()).isEqualTo(2);
    assertThat(app.batches()).isEqualTo(3);
    assertThat(second.readNumbers(1, new int[] {256})).containsExactly(9);
  }

  @Test
  void failures_passAsTheyAre() {
    store.open("bench", Layout.of(2)).claim(0, "another");

    assertThatExceptionOfType(FencedException.class)
        .isThrownBy(
            () -> first.append(List.of(StoredLog.event(1, 1)), WriteMode.INSERT_IF_NOT_EXISTS));
  }
}
