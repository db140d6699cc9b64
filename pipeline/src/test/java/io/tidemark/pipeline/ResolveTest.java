package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.BusyException;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.SequencerState;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.storage.memory.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("P-11")
final class ResolveTest {
  private static final byte[] ONE = {1};

  private final MemoryStore store = new MemoryStore();

  private Server failed(boolean atomic, String place) {
    IAppStorage storage = Server.open(store, atomic);
    Server server = Server.start(storage);
    CommandReply first = server.order(1, "tea");
    switch (place) {
      case "record" -> store.plantRecord("shop", 1, first.newId(1) + 1, ONE);
      case "PLog" -> store.plantPLog("shop", 0, 2, ONE);
      default -> store.plantWLog("shop", 1, 2, ONE);
    }
    assertThatThrownBy(() -> server.order(1, "coffee"))
        .isInstanceOfSatisfying(
            SequenceViolationException.class, e -> assertThat(e.key()).startsWith(place));
    server.steps.pass(Duration.ofSeconds(1));
    assertThat(server.partitions.status(0).sequencer().state()).isEqualTo(SequencerState.FAILED);
    assertThatThrownBy(() -> server.order(2, "tea"))
        .isInstanceOfSatisfying(
            BusyException.class, e -> assertThat(e.reason()).isEqualTo(Refusal.FAILED));
    PartitionFailure failure = storage.reader(0).info().failure();
    assertThat(failure).isNotNull();
    assertThat(failure.key()).startsWith(place);
    long before = server.steps.nanoTime();
    server.partitions.close();
    assertThat(server.steps.nanoTime()).as("close waits for nothing").isEqualTo(before);
    Server next = Server.start(storage);
    next.steps.runReady();
    assertThat(next.partitions.status(0).sequencer().state())
        .as("the failure outlives a restart")
        .isEqualTo(SequencerState.FAILED);
    return next;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void retry_whileTheForeignRowIsThere_isRefused_andGoesOnOnceItIsGone(boolean atomic) {
    Server server = failed(atomic, "record");
    assertThatThrownBy(() -> server.partitions.resolve(0, Resolution.RETRY))
        .isInstanceOf(SequenceViolationException.class);
    store.removeRecord("shop", 1, Shop.FIRST_OW + 1);
    server.partitions.resolve(0, Resolution.RETRY);
    server.steps.runReady();
    CommandReply reply = server.order(1, "water");
    assertThat(reply.plogOffset()).isEqualTo(atomic ? 2 : 3);
    assertThat(reply.newId(1)).isEqualTo(Shop.FIRST_OW + reply.plogOffset() - 1);
    Applied.assertExactlyOnce(server.storage.reader(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"record", "WLog"})
  void skip_whereNothingWasLogged_logsAFloorPastTheNumber(String place) {
    Server server = failed(true, place);
    server.partitions.resolve(0, Resolution.SKIP);
    server.steps.runReady();
    CommandReply reply = server.order(1, "water");
    assertThat(reply.plogOffset()).isEqualTo(3);
    assertThat(reply.newId(1)).isEqualTo(Shop.FIRST_OW + (place.equals("record") ? 2 : 1));
    assertThat(reply.wlogOffset()).isEqualTo(place.equals("record") ? 2 : 3);
    assertThat(Applied.log(server.partitions, 0))
        .as("a floor is not shown")
        .extracting(Event::plogOffset)
        .containsExactly(1L, 3L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"record", "WLog"})
  void skip_ofALoggedEvent_marksItCorrupted_andItsNumbersCount(String place) {
    Server server = failed(false, place);
    server.partitions.resolve(0, Resolution.SKIP);
    server.steps.runReady();
    CommandReply reply = server.order(1, "water");
    assertThat(reply.plogOffset()).isEqualTo(3);
    assertThat(reply.newId(1)).isEqualTo(Shop.FIRST_OW + 2);
    assertThat(reply.wlogOffset()).isEqualTo(3);
    assertThat(Applied.log(server.partitions, 0))
        .extracting(Event::corrupted)
        .containsExactly(false, true, false);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void foreignEvent_thatCannotBeRead_mustBeRemoved(boolean atomic) {
    Server server = failed(atomic, "PLog");
    assertThatThrownBy(() -> server.partitions.resolve(0, Resolution.SKIP))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("remove it");
    assertThatThrownBy(() -> server.partitions.resolve(0, Resolution.RETRY))
        .isInstanceOf(SequenceViolationException.class);
    store.removePLog("shop", 0, 2);
    server.partitions.resolve(0, Resolution.RETRY);
    assertThat(server.order(1, "water").plogOffset()).isEqualTo(2);
    assertThatThrownBy(() -> server.partitions.resolve(0, Resolution.RETRY))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no stored failure");
  }
}
