package io.tidemark.storage.cassandra;

import io.tidemark.api.FencedException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.PLogEvent;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One handle's appends at levels 0 and 1. */
final class InsertAppender implements PartitionLog.Appender {
  private static final int ATTEMPTS = 3;

  private final InsertLog log;

  /** Grows only: a handle never appends behind a bucket it has left. */
  private final AtomicLong openBucket;

  InsertAppender(InsertLog log, long openBucket) {
    this.log = log;
    this.openBucket = new AtomicLong(openBucket);
  }

  @Override
  public long lastBucket() {
    return openBucket.get();
  }

  @Override
  public void moved(Meta meta) {
    openBucket.accumulateAndGet(meta.openBucket(), Math::max);
  }

  @Override
  public void append(Term sent, List<PLogEvent> group) {
    long bucket = log.buckets().ofOffset(group.get(0).offset());
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (bucket == openBucket.get() + 1) {
        open(sent, bucket);
      }
      if (bucket == openBucket.get() && log.insert(sent.epoch(), group)) {
        return;
      }
      if (isOwn(sent, group, bucket)) {
        return;
      }
    }
    throw new OutcomeUnknownException(
        "append of %s: the server refused it and says no reason".formatted(group.get(0).key()));
  }

  /** Opens the bucket after the open one, if that is full. Nothing of the append is sent yet. */
  private void open(Term sent, long bucket) {
    try {
      InsertLog.Bucket full = log.bucket(bucket - 1);
      if (full.last() != log.buckets().last(bucket - 1) || !sent.epoch().equals(full.epoch())) {
        return; // what is wrong is found by looking at what stands in the append's way
      }
      if (!log.openNext(sent.epoch(), bucket - 1)) {
        Meta now = log.meta();
        if (!now.epoch().equals(sent.epoch()) || now.openBucket() < bucket) {
          throw Ownership.lost(sent, now, log, bucket - 1, "opening log bucket " + bucket);
        }
      }
      log.fence(bucket, sent.epoch());
      openBucket.accumulateAndGet(bucket, Math::max);
    } catch (OutcomeUnknownException e) {
      // Done twice it is done once, and no event was sent: for the append nothing has happened.
      throw new StorageUnavailableException("log bucket " + bucket + " may not be open yet", e);
    }
  }

  /** What stands where a refused append was to go. */
  @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
  private record Found(@Nullable UUID[] writeIds, InsertLog.Bucket bucket, Meta meta) {}

  /**
   * Looks at what refused the append: own write id first, then the epoch, then the rows. False if
   * nothing stands in its way, so that it may be sent again.
   */
  private boolean isOwn(Term sent, List<PLogEvent> group, long bucket) {
    PLogEvent first = group.get(0);
    Found found;
    try {
      found = new Found(log.writeIds(first.offset(), group.size()), log.bucket(bucket), log.meta());
    } catch (StorageUnavailableException e) {
      // The coordinator may have lost sight of its own round: without a look, nothing is certain.
      throw new OutcomeUnknownException("append of " + first.key() + " was refused", e);
    }
    if (isHeld(group, found.writeIds)) {
      return true;
    }
    requireOwned(sent, found, "append of " + first.key());
    for (int i = 0; i < found.writeIds.length; i++) {
      UUID writeId = found.writeIds[i];
      if (writeId != null && !writeId.equals(group.get(i).header().writeId())) {
        throw new SequenceViolationException(group.get(i).key(), "write id " + writeId);
      }
    }
    if (found.bucket.last() != first.offset() - 1 || bucket > openBucket.get()) {
      throw new StorageCorruptedException(
          "%s has no predecessor: log bucket %d ends at %d; restore what was lost"
              .formatted(first.key(), bucket, found.bucket.last()));
    }
    return false;
  }

  private static boolean isHeld(List<PLogEvent> group, @Nullable UUID[] found) {
    for (int i = 0; i < found.length; i++) {
      if (!group.get(i).header().writeId().equals(found[i])) {
        return false;
      }
    }
    return true;
  }

  /** A bucket that was never open, or was left long ago, says nothing: then the meta row does. */
  private void requireOwned(Term sent, Found found, String what) {
    Epoch holder = found.bucket.epoch();
    if (sent.epoch().equals(holder)) {
      return;
    }
    if (holder != null && holder.equals(sent.undecided())) {
      throw Ownership.undecided(what);
    }
    if (holder != null && holder.number() >= sent.epoch().number()) {
      throw new FencedException(
          "%s with epoch %s is fenced: epoch %s holds the partition"
              .formatted(what, sent.epoch(), holder));
    }
    if (!found.meta.epoch().equals(sent.epoch())) {
      throw Ownership.lost(sent, found.meta, log, lastBucket(), what);
    }
  }
}
