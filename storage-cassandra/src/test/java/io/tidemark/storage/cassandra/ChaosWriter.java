package io.tidemark.storage.cassandra;

import io.tidemark.api.FencedException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** One owner of one partition, under faults, that keeps account of every append. */
final class ChaosWriter implements Runnable {
  /** What became of an append, as far as its owner may conclude. */
  enum Verdict {
    ACKNOWLEDGED,
    NOTHING_WRITTEN,
    UNKNOWN_SETTLED_IN,
    UNKNOWN_SETTLED_OUT
  }

  private static final Duration BREATH = Duration.ofMillis(50);
  private static final int GROUP = 3;

  private final CassandraAppStorage app;
  private final int partition;
  private final WriteMode mode;
  private final Random random;
  private final CountDownLatch stop;
  private final Map<UUID, Verdict> verdicts = new HashMap<>();
  private final Map<UUID, String> errors = new HashMap<>();

  /** What a log read said right after a settle; it must never change. */
  private final Map<Long, UUID> seen = new HashMap<>();

  private long highestNumber;
  private int takeovers;

  /** Read by others while this one runs. */
  private final AtomicInteger settles = new AtomicInteger();

  private int landed;

  ChaosWriter(CassandraAppStorage app, int partition, long seed, CountDownLatch stop) {
    this.app = app;
    this.partition = partition;
    this.mode =
        app.layout().trustLevel() == TrustLevel.LEVEL_2
            ? WriteMode.PUT
            : WriteMode.INSERT_IF_NOT_EXISTS;
    this.random = new Random(seed);
    this.stop = stop;
  }

  @Override
  public void run() {
    IPartitionStorage handle = claim();
    long next = Cluster.eventually("read the log end", handle::logEnd) + 1;
    while (stop.getCount() > 0) {
      if (mode == WriteMode.INSERT_IF_NOT_EXISTS && random.nextInt(60) == 0) {
        handle = claim(); // another owner; the old handle is gone
        takeovers++;
        next = Cluster.eventually("read the log end", handle::logEnd) + 1;
      }
      List<PLogEvent> group = group(handle, next);
      try {
        handle.append(group, mode);
        note(group, Verdict.ACKNOWLEDGED, null);
        next += group.size();
        flush(handle, next);
      } catch (OutcomeUnknownException e) {
        next = settle(handle, group, e);
      } catch (StorageUnavailableException e) {
        note(group, Verdict.NOTHING_WRITTEN, e);
        Cluster.await(stop, BREATH);
      }
    }
  }

  private IPartitionStorage claim() {
    return Cluster.eventually("claim", () -> app.claim(partition, "chaos"));
  }

  private List<PLogEvent> group(IPartitionStorage handle, long first) {
    int size = Math.min(1 + random.nextInt(GROUP), handle.groupLimit(first).events());
    List<PLogEvent> group = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      group.add(Fixture.event(first + i, first, "event"));
    }
    return group;
  }

  private void note(List<PLogEvent> group, Verdict verdict, StorageException error) {
    for (PLogEvent event : group) {
      verdicts.put(event.header().writeId(), verdict);
    }
    if (error != null) {
      errors.put(group.get(0).header().writeId(), cause(error));
    }
  }

  private static String cause(Throwable error) {
    Throwable cause = error.getCause() == null ? error : error.getCause();
    return cause.getClass().getSimpleName();
  }

  /** Settles, then reads what is true from now on; answers the next offset. */
  private long settle(IPartitionStorage handle, List<PLogEvent> group, StorageException error) {
    Cluster.eventually(
        "settle",
        () -> {
          handle.settle();
          return true;
        });
    settles.incrementAndGet();
    long first = group.get(0).offset();
    List<UUID> logged =
        Cluster.eventually(
            "read the tail",
            () -> {
              List<UUID> found = new ArrayList<>();
              handle.readPLog(first, event -> found.add(event.header().writeId()));
              return found;
            });
    boolean isIn = !logged.isEmpty();
    landed += isIn ? 1 : 0;
    for (int i = 0; i < group.size(); i++) {
      UUID writeId = group.get(i).header().writeId();
      boolean found = i < logged.size() && logged.get(i).equals(writeId);
      if (found != isIn) {
        throw new AssertionError("a group is in the log in part: " + logged + " of " + group);
      }
    }
    note(group, isIn ? Verdict.UNKNOWN_SETTLED_IN : Verdict.UNKNOWN_SETTLED_OUT, error);
    for (int i = 0; i < logged.size(); i++) {
      seen.put(first + i, logged.get(i));
    }
    return first + logged.size();
  }

  /** SeqData under the same faults; a failed write may be there in part. */
  private void flush(IPartitionStorage handle, long next) {
    if (random.nextInt(4) != 0) {
      return;
    }
    try {
      handle.writeValuesAndOffset(Fixture.values(next - 1), next);
      highestNumber = Math.max(highestNumber, next - 1);
    } catch (FencedException e) {
      throw e;
    } catch (StorageException e) {
      Cluster.await(stop, BREATH);
    }
  }

  int partition() {
    return partition;
  }

  CassandraAppStorage app() {
    return app;
  }

  Map<UUID, Verdict> verdicts() {
    return verdicts;
  }

  Map<UUID, String> errors() {
    return errors;
  }

  Map<Long, UUID> seen() {
    return seen;
  }

  long highestNumber() {
    return highestNumber;
  }

  int takeovers() {
    return takeovers;
  }

  /** Groups whose outcome was unknown: each was settled once. */
  int settles() {
    return settles.get();
  }

  /** Those of them that were in the log after the settle. */
  int landed() {
    return landed;
  }
}
