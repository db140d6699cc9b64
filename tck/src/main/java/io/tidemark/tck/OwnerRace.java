package io.tidemark.tck;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.tck.Made.event;
import static io.tidemark.tck.Made.plog;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.StorageException;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Owners that take one partition from each other, and the record of what they were told. */
final class OwnerRace {
  private static final int TERMS = 3;

  private final Scene scene;
  private final Map<UUID, Long> epochs = new ConcurrentHashMap<>();
  private final Queue<PLogEvent> acknowledged = new ConcurrentLinkedQueue<>();
  private final Queue<StorageException> ends = new ConcurrentLinkedQueue<>();
  private final Queue<String> late = new ConcurrentLinkedQueue<>();

  OwnerRace(Scene scene) {
    this.scene = scene;
  }

  /** One racer: claims, appends until it is told to stop, and claims again. */
  void run(Random random) {
    try (IAppStorage app = scene.openAgain()) {
      for (int term = 0; term < TERMS; term++) {
        try {
          serve(app.claim(scene.partition(), "racer"), 1 + random.nextInt(4));
        } catch (StorageException fencedOrOutrun) {
          ends.add(fencedOrOutrun);
        }
      }
    }
  }

  private void serve(IPartitionStorage owner, int appends) {
    long epoch = owner.epoch().number();
    Set<UUID> visible = new HashSet<>();
    plog(owner).forEach(event -> visible.add(event.header().writeId()));
    long offset = visible.size();
    for (int i = 0; i < appends; i++) {
      PLogEvent event = event(scene.workspace(0), ++offset);
      epochs.put(event.header().writeId(), epoch);
      owner.append(List.of(event), INSERT_IF_NOT_EXISTS);
      acknowledged.add(event);
    }
    for (PLogEvent event : plog(owner)) {
      UUID writeId = event.header().writeId();
      if (!visible.contains(writeId) && epochs.getOrDefault(writeId, epoch) < epoch) {
        late.add(
            "%s of epoch %d was not there when the claim of epoch %d returned, and is now"
                .formatted(event.key(), epochs.get(writeId), epoch));
      }
    }
  }

  /** After the threads have ended. */
  void check() {
    assertThat(late).as("appends that appeared after a newer claim").isEmpty();
    assertThat(acknowledged.size() + ends.size()).as("answers of the storage").isPositive();
    List<PLogEvent> log = plog(scene.reader());
    for (PLogEvent event : acknowledged) {
      assertThat(log)
          .as("the log, which must hold %s as it was acknowledged", event.key())
          .contains(event);
    }
    long last = 0;
    for (PLogEvent event : log) {
      long epoch = epochs.getOrDefault(event.header().writeId(), 0L);
      assertThat(epoch)
          .as("epoch of %s; an older owner's event must not stand behind a newer's", event.key())
          .isGreaterThanOrEqualTo(last);
      last = epoch;
    }
  }
}
