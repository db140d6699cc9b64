package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ISequencer;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import org.junit.jupiter.api.Test;

final class StoredLogTest {
  private final IAppStorage app = new MemoryStore().open("bench", Layout.of(1));

  @Test
  void fill_leavesTheCheckpointATailBehindTheEnd() {
    IPartitionStorage partition = app.claim(0, "test");

    new StoredLog(partition).fill(5000, offset -> {});

    assertThat(partition.logEnd()).isEqualTo(5000);
    assertThat(partition.readNextPLogOffset()).isEqualTo(4001);
  }

  @Test
  void fill_storesWhatARebuildOfTheLogWouldStore() {
    IPartitionStorage partition = app.claim(0, "test");
    new StoredLog(partition).fill(3000, offset -> {});

    partition.readPLog(
        1,
        event -> {
          int[] touched =
              event.header().touches().stream().mapToInt(touch -> touch.seqId()).toArray();
          long[] stored = partition.readNumbers(event.header().wsid(), touched);
          for (int i = 0; i < stored.length; i++) {
            long last = event.header().touches().get(i).last();
            if (event.offset() <= 2000) {
              assertThat(stored[i]).as("before the checkpoint").isGreaterThanOrEqualTo(last);
            } else {
              assertThat(stored[i]).as("in the tail").isLessThan(last);
            }
          }
          return true;
        });
  }

  @Test
  void fill_ofALogThatIsLongEnough_addsOnlyATail() {
    new StoredLog(app.claim(0, "first")).fill(3000, offset -> {});
    IPartitionStorage partition = app.claim(0, "second");

    new StoredLog(partition).fill(3000, offset -> {});

    assertThat(partition.logEnd()).isEqualTo(4000);
    assertThat(partition.readNextPLogOffset()).isEqualTo(3001);
  }

  @Test
  void start_readsTheTailAlone() {
    IPartitionStorage partition = app.claim(0, "test");
    new StoredLog(partition).fill(2000, offset -> {});

    try (ISequencer sequencer =
        Sequencers.of(app, SequencerConfig.of(StoredLog.TYPES)).open(partition)) {
      Workloads.ready(sequencer);
      assertThat(sequencer.status().nextOffset()).isEqualTo(2001);
    }
    assertThat(partition.readNextPLogOffset()).as("stored at its orderly end").isEqualTo(2001);
  }
}
