package io.tidemark.storage.foundationdb;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.storage.foundationdb.Fixture.APP;
import static io.tidemark.storage.foundationdb.Fixture.KIND;
import static io.tidemark.storage.foundationdb.Fixture.SEQ;
import static io.tidemark.storage.foundationdb.Fixture.WS;
import static io.tidemark.storage.foundationdb.Fixture.bytes;
import static io.tidemark.storage.foundationdb.Fixture.group;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.SystemSequences;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.ReplayBatcher;
import io.tidemark.storage.foundationdb.simulated.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReplayTest {
  private static final int EVENTS = 60;

  private final SimulatedCluster simulation = new SimulatedCluster();
  private final TestCluster cluster = TestCluster.simulated(simulation);
  private final IPartitionStorage partition = cluster.open(APP, Layout.of(1)).claim(0, "test");
  private final List<Long> offsets = new ArrayList<>();
  private final ReplayBatcher batcher = (values, offset) -> offsets.add(offset);

  @BeforeEach
  void append() {
    partition.append(group(1, EVENTS), INSERT_IF_NOT_EXISTS);
  }

  private void replay(long from, Cancellation cancellation, ReplayBatcher into) {
    partition.actualizeSequencesFromPLog(from, cancellation, into);
  }

  @Test
  @Tag("R-1")
  void replay_fromAnOffset_handsOverEveryEventsNumbersInOrder() {
    replay(
        3,
        Cancellation.NEVER,
        (values, offset) -> {
          offsets.add(offset);
          assertThat(values)
              .hasToString(
                  "[%d/%d=%d, %d/%d=%d]"
                      .formatted(WS, SystemSequences.WORKSPACE_KIND, KIND, WS, SEQ, offset));
        });

    assertThat(offsets).hasSize(EVENTS - 2).isSorted();
    assertThat(offsets.get(0)).isEqualTo(3);
  }

  @Test
  @Tag("R-1")
  void replay_fromBehindTheEnd_handsOverNothing() {
    replay(EVENTS + 1, Cancellation.NEVER, batcher);
    assertThat(offsets).isEmpty();
  }

  @Test
  @Tag("R-2")
  void replay_overAHoleOrRubbish_isCorrupted() {
    cluster.rows().putPLog(APP, 0, EVENTS, bytes("rubbish"));
    assertThatThrownBy(() -> replay(1, Cancellation.NEVER, batcher))
        .isInstanceOf(StorageCorruptedException.class);
    cluster.rows().removePLog(APP, 0, 31);
    assertThatThrownBy(() -> replay(1, Cancellation.NEVER, batcher))
        .isInstanceOf(StorageCorruptedException.class)
        .hasMessageContaining("PLog offset 31");
  }

  @Test
  @Tag("R-3")
  void replay_cancelledMidway_doesNotReturnNormally() {
    assertThatThrownBy(() -> replay(1, () -> offsets.size() == 5, batcher))
        .isInstanceOf(CancellationException.class);
    assertThat(offsets).hasSize(5);
    assertThatThrownBy(() -> replay(EVENTS + 1, () -> true, batcher))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  @Tag("R-4")
  void replay_whoseBatcherThrows_throwsThat() {
    IllegalStateException thrown = new IllegalStateException("full");
    assertThatThrownBy(
            () ->
                replay(
                    1,
                    Cancellation.NEVER,
                    (values, offset) -> {
                      throw thrown;
                    }))
        .isSameAs(thrown);
  }

  @Test
  void replay_whoseReadFails_isUnavailable() {
    simulation.faults().reads(1007, 1009, 1031);
    assertThatThrownBy(() -> replay(1, Cancellation.NEVER, batcher))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("1031");
    assertThat(offsets).isEmpty();
  }
}
