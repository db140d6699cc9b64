package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.Environment.Lane;
import io.tidemark.spi.IAppStorage;
import io.tidemark.storage.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("P-16")
final class SubscriptionTest {
  private final MemoryStore store = new MemoryStore();
  private final IAppStorage storage = Server.open(store, true);
  private final Server server = Server.start(storage);
  private final List<Long> seen = new ArrayList<>();

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  @Test
  void subscription_catchesUp_thenFollows_withoutAGap() {
    for (int i = 0; i < 250; i++) {
      server.order(i % 3, "tea");
    }
    server.partitions.subscribe(0, 1, event -> seen.add(event.plogOffset()));
    server.steps.runReady();
    assertThat(seen).isEqualTo(upTo(250));
    server.order(1, "coffee");
    server.steps.runReady();
    assertThat(seen).as("live, without time passing").isEqualTo(upTo(251));
  }

  @Test
  void handler_runsOnALaneOfItsOwn_soThatItMayWaitForCommands() {
    List<Lane> lanes = new ArrayList<>();
    server.partitions.subscribe(0, 1, event -> lanes.add(server.steps.lane()));
    server.order(1, "tea");
    server.steps.runReady();
    server.order(1, "tea");
    server.steps.pass(Duration.ofSeconds(5));
    assertThat(lanes).containsExactly(Lane.SUBSCRIBER, Lane.SUBSCRIBER);
  }

  @Test
  void subscription_resumed_goesOnWhereItStopped() {
    Subscription first = server.partitions.subscribe(0, 1, event -> seen.add(event.plogOffset()));
    server.order(1, "tea");
    server.steps.runReady();
    first.close();
    server.order(1, "tea");
    server.steps.runReady();
    assertThat(seen).isEqualTo(upTo(1));
    server.partitions.subscribe(0, first.next(), event -> seen.add(event.plogOffset()));
    server.steps.runReady();
    assertThat(seen).isEqualTo(upTo(2));
  }

  @Test
  void handler_thatFails_getsTheSameEventAgain() {
    int[] failures = {3};
    Subscription subscription =
        server.partitions.subscribe(
            0,
            1,
            event -> {
              if (event.plogOffset() == 2 && failures[0]-- > 0) {
                throw new IllegalStateException("not now");
              }
              seen.add(event.plogOffset());
            });
    server.order(1, "tea");
    server.order(1, "tea");
    server.steps.runReady();
    assertThat(seen).isEqualTo(upTo(1));
    assertThat(subscription.lastError()).hasMessage("not now");
    server.steps.pass(Duration.ofSeconds(2));
    assertThat(seen).isEqualTo(upTo(2));
    assertThat(subscription.lastError()).isNull();
  }

  @Test
  void subscription_followsAnotherProcess_byLooking() {
    Server reader = Server.start(storage);
    reader.partitions.undeploy(0, Duration.ZERO);
    reader.partitions.subscribe(0, 1, event -> seen.add(event.plogOffset()));
    List<Long> ofWorkspace = new ArrayList<>();
    reader.partitions.subscribeWorkspace(2, 1, event -> ofWorkspace.add(event.wlogOffset()));
    Server writer = Server.start(storage);
    writer.order(1, "tea");
    writer.order(2, "tea");
    writer.order(2, "tea");
    reader.steps.pass(Duration.ofSeconds(1));
    assertThat(seen).isEqualTo(upTo(3));
    assertThat(ofWorkspace).isEqualTo(upTo(2));
  }

  @Test
  void unreadableLog_endsTheSubscription_andSaysWhy() {
    server.order(1, "tea");
    store.plantPLog("shop", 0, 2, new byte[] {1});
    Subscription subscription =
        server.partitions.subscribe(0, 1, event -> seen.add(event.plogOffset()));
    server.steps.pass(Duration.ofSeconds(1));
    assertThat(subscription.lastError()).hasMessageContaining("PLog offset 2");
  }
}
