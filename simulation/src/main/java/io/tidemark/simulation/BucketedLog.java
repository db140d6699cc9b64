package io.tidemark.simulation;

import io.tidemark.spi.Epoch;
import io.tidemark.spi.PLogEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A log as Cassandra keeps it: rows in buckets, each with an epoch of its own, because a condition
 * cannot span two buckets; beside them a meta row. Every method is one conditional write or one
 * read, atomic on one row or bucket and on nothing else.
 */
final class BucketedLog {
  /** Events of a bucket; small, so that buckets fill all the time. */
  static final int EVENTS = 3;

  /**
   * The meta row.
   *
   * @param epoch the partition's epoch
   * @param openBucket the bucket that takes events, or the next one
   * @param end the log's end when the epoch began; of rows put without a condition only
   */
  record Meta(Epoch epoch, int openBucket, long end) {}

  /**
   * A bucket as a read sees it.
   *
   * @param epoch who may append; {@link Epoch#NONE} when nobody has opened it
   * @param last the last offset in it; the one before its first when it is empty
   */
  record Bucket(Epoch epoch, long last) {}

  private record Row(Epoch epoch, PLogEvent event) {}

  private final Map<Integer, Epoch> epochs = new HashMap<>();
  private final TreeMap<Long, Row> rows = new TreeMap<>();
  private final boolean conditional;
  private Meta meta = new Meta(Epoch.NONE, 0, 0);

  /** A log whose rows are inserted under conditions, or put without any. */
  BucketedLog(boolean conditional) {
    this.conditional = conditional;
  }

  boolean isConditional() {
    return conditional;
  }

  static int bucketOf(long offset) {
    return (int) ((offset - 1) / EVENTS);
  }

  static long firstOf(int bucket) {
    return (long) bucket * EVENTS + 1;
  }

  Meta meta() {
    return meta;
  }

  /** Moves the meta row on if it has the epoch {@code from}; true also if it was moved before. */
  boolean moveMeta(Epoch from, Meta to) {
    if (meta.epoch.equals(from)) {
      meta = new Meta(to.epoch, Math.max(to.openBucket, meta.openBucket), to.end);
    }
    return meta.epoch.equals(to.epoch);
  }

  /** Notes that a bucket is about to open, if the partition has this epoch. */
  boolean openBucket(Epoch epoch, int bucket) {
    if (!meta.epoch.equals(epoch)) {
      return false;
    }
    meta = new Meta(epoch, Math.max(bucket, meta.openBucket), meta.end);
    return true;
  }

  Bucket bucket(int bucket) {
    Long last = rows.floorKey(firstOf(bucket + 1) - 1);
    boolean empty = last == null || last < firstOf(bucket);
    return new Bucket(epochs.getOrDefault(bucket, Epoch.NONE), empty ? firstOf(bucket) - 1 : last);
  }

  /** Sets a bucket's epoch if it is {@code from}, or already the new one. */
  boolean moveBucket(int bucket, Epoch from, Epoch to) {
    Epoch now = epochs.getOrDefault(bucket, Epoch.NONE);
    if (!now.equals(from) && !now.equals(to)) {
      return false;
    }
    epochs.put(bucket, to);
    return true;
  }

  /** Inserts a group if the bucket has this epoch and ends right before it. */
  boolean insert(Epoch epoch, List<PLogEvent> group) {
    if (holds(group)) {
      return true;
    }
    int bucket = bucketOf(group.get(0).offset());
    if (!bucket(bucket).equals(new Bucket(epoch, group.get(0).offset() - 1))) {
      return false;
    }
    group.forEach(event -> rows.put(event.offset(), new Row(epoch, event)));
    return true;
  }

  /** Puts a group without any condition; of two rows the one with the higher epoch stays. */
  void put(Epoch epoch, List<PLogEvent> group) {
    for (PLogEvent event : group) {
      Row found = rows.get(event.offset());
      if (found == null || found.epoch.number() <= epoch.number()) {
        rows.put(event.offset(), new Row(epoch, event));
      }
    }
  }

  private boolean holds(List<PLogEvent> group) {
    for (PLogEvent event : group) {
      Row found = rows.get(event.offset());
      if (found == null || !found.event.header().writeId().equals(event.header().writeId())) {
        return false;
      }
    }
    return true;
  }

  /**
   * The events of the log. A row past the end that the last claim found, with an older epoch, is
   * not in it: a write that came too late.
   */
  List<PLogEvent> events() {
    List<PLogEvent> events = new ArrayList<>();
    for (Row row : rows.values()) {
      boolean late = row.event.offset() > meta.end && row.epoch.number() < meta.epoch.number();
      if (row.event.offset() != events.size() + 1 || (!conditional && late)) {
        break;
      }
      events.add(row.event);
    }
    return events;
  }
}
