package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class ManyPartitionsTest {
  private static final int PARTITIONS = 10_000;

  @Test
  void tenThousandPartitions_serveCommands_withAFixedNumberOfThreads() {
    IAppStorage storage = new MemoryStore().open("many", Layout.of(PARTITIONS));
    AppPartitions partitions =
        new AppPartitions(
            storage,
            PipelineConfig.builder(Shop.SEQUENCES).patience(Duration.ofMinutes(5)).build());
    for (int i = 0; i < PARTITIONS; i++) {
      partitions.deploy(i);
    }
    List<CompletableFuture<CommandReply>> replies = new ArrayList<>();
    for (int i = 0; i < PARTITIONS; i++) {
      replies.add(partitions.processor(i).submit(Shop.order(i, "tea")));
    }
    for (CompletableFuture<CommandReply> reply : replies) {
      assertThat(reply.join().plogOffset()).isEqualTo(1);
    }
    long threads =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("tidemark-"))
            .count();
    int lanes = 1 + 2 + 2 + 3 + Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
    assertThat(threads).isLessThanOrEqualTo(lanes);
    for (int i = 0; i < PARTITIONS; i++) {
      partitions.undeploy(i, Duration.ofMinutes(1));
    }
    assertThat(partitions.partitions()).isEmpty();
  }
}
