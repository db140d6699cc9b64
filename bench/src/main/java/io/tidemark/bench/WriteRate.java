package io.tidemark.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Storage writes a second while a fleet of partitions is drawn from.
 *
 * @param perSecond from each write to the next, so that the ends of the time do not count
 * @param transactions how many there were
 * @param writes all writes, those after the time among them
 * @param batches partitions written, each time they were
 */
record WriteRate(Samples perSecond, long transactions, long writes, long batches) {

  static WriteRate of(PartitionFleet fleet, Duration time, Duration pause) {
    CountedApp app = fleet.app();
    fleet.stored();
    long writesBefore = app.writes();
    long batchesBefore = app.batches();
    long seen = writesBefore;
    long last = 0;
    long transactions = 0;
    List<Double> perSecond = new ArrayList<>();
    long end = System.nanoTime() + time.toNanos();
    for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
      fleet.draw();
      transactions++;
      long writes = app.writes();
      if (writes > seen) {
        if (last > 0) {
          perSecond.add((writes - seen) * 1e9 / (now - last));
        }
        seen = writes;
        last = now;
      }
      if (!pause.isZero()) {
        LockSupport.parkNanos(pause.toNanos());
      }
    }
    fleet.stored();
    if (perSecond.isEmpty()) {
      throw new IllegalStateException("there were fewer than two writes in " + time);
    }
    return new WriteRate(
        Samples.of(perSecond),
        transactions,
        app.writes() - writesBefore,
        app.batches() - batchesBefore);
  }

  String note() {
    return String.format(
        Locale.ROOT,
        "%,d transactions k=3 over random partitions, %,d writes, %,d partitions a write",
        transactions,
        writes,
        batches / Math.max(1, writes));
  }
}
