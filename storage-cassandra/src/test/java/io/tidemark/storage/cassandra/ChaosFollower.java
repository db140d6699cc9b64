package io.tidemark.storage.cassandra;

import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.IPartitionReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/** Follows the log of one partition from outside, as a subscriber does, while its owner writes. */
final class ChaosFollower implements Runnable {
  private static final Duration PAUSE = Duration.ofMillis(300);

  private final ChaosWriter writer;
  private final CountDownLatch stop;

  /** What it was shown at each offset; must never change. */
  private final Map<Long, UUID> shown = new HashMap<>();

  ChaosFollower(ChaosWriter writer, CountDownLatch stop) {
    this.writer = writer;
    this.stop = stop;
  }

  @Override
  public void run() {
    IPartitionReader reader = writer.app().reader(writer.partition());
    do {
      try {
        reader.readPLog(
            shown.size() + 1L,
            event -> {
              shown.put(event.offset(), event.header().writeId());
              return true;
            });
      } catch (StorageUnavailableException e) {
        // It reads again later, as subscribers do.
      }
    } while (!Cluster.await(stop, PAUSE));
  }

  ChaosWriter writer() {
    return writer;
  }

  Map<Long, UUID> shown() {
    return shown;
  }
}
