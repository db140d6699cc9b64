package io.tidemark.storage.cassandra;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.PLogEvent;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One handle's puts at level 2, one at a time.
 *
 * <p>The handle remembers how far the log goes, since nothing in the storage checks it. A put whose
 * outcome is unknown blocks all but its own repetition until the handle was settled: two different
 * events of one epoch at one offset could not be told apart by their epoch.
 */
final class PutAppender implements PartitionLog.Appender {
  private final PutLog log;

  @GuardedBy("this")
  private long openBucket;

  @GuardedBy("this")
  private long end;

  @GuardedBy("this")
  private long highestSent;

  /** 0 is left to nobody, so that a repetition is never the first. */
  @GuardedBy("this")
  private long repeats = 1;

  @GuardedBy("this")
  private @Nullable UUID undecided;

  PutAppender(PutLog log, Meta claimed) {
    this.log = log;
    openBucket = claimed.openBucket();
    end = claimed.logEnd();
    highestSent = end;
  }

  @Override
  public synchronized long lastBucket() {
    return openBucket;
  }

  @Override
  public synchronized void moved(Meta meta) {
    openBucket = meta.openBucket();
    end = meta.logEnd();
    highestSent = end;
    repeats = 1;
    undecided = null;
  }

  @Override
  public synchronized void append(Term sent, List<PLogEvent> group) {
    PLogEvent first = group.get(0);
    UUID writeId = first.header().writeId();
    if (sent.undecided() != null) {
      throw Ownership.undecided("append of " + first.key());
    }
    if (undecided != null && !undecided.equals(writeId)) {
      throw new StorageUnavailableException(
          "append of " + first.key() + " must wait: an earlier one is undecided, settle first");
    }
    requirePredecessor(first.offset());
    if (log.buckets().ofOffset(first.offset()) == openBucket + 1) {
      open(sent);
    }
    long last = first.offset() + group.size() - 1;
    if (first.offset() <= highestSent) {
      repeats++;
    }
    highestSent = Math.max(highestSent, last);
    try {
      log.put(sent.epoch(), group, repeats);
    } catch (OutcomeUnknownException e) {
      undecided = writeId;
      throw e;
    }
    undecided = null;
    end = Math.max(end, last);
  }

  @GuardedBy("this")
  private void requirePredecessor(long first) {
    if (first > end + 1) {
      end = Math.max(end, log.end(log.meta()));
    }
    if (first > end + 1) {
      throw new StorageCorruptedException(
          "PLog offset %d has no predecessor: the log ends at %d; restore what was lost"
              .formatted(first, end));
    }
  }

  @GuardedBy("this")
  private void open(Term sent) {
    try {
      if (!log.openNext(sent.epoch(), openBucket)) {
        Meta now = log.meta();
        if (!now.epoch().equals(sent.epoch()) || now.openBucket() <= openBucket) {
          throw Ownership.lost(sent, now, log, openBucket, "opening a log bucket");
        }
      }
      openBucket++;
    } catch (OutcomeUnknownException e) {
      throw new StorageUnavailableException("the next log bucket may not be open yet", e);
    }
  }
}
