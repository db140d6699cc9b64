package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.subspace.Subspace;
import com.apple.foundationdb.tuple.Tuple;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.PLogEvent;
import io.tidemark.storage.foundationdb.Keys.PartitionKeys;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A group of events on its way to the log.
 *
 * <p>Everything it depends on is read with a conflict range: the epoch, the end of the log before
 * it, and its own offsets. So it commits only if none of them changed, however late it arrives.
 */
final class LogAppend {
  private final PartitionKeys keys;
  private final String name;
  private final List<PLogEvent> group;
  private final WriteMode mode;

  LogAppend(
      PartitionKeys keys, String name, List<PLogEvent> group, WriteMode mode, GroupLimit limit) {
    this.keys = keys;
    this.name = name;
    this.group = List.copyOf(group);
    this.mode = mode;
    requireGroup(this.group, limit);
  }

  private static void requireGroup(List<PLogEvent> group, GroupLimit limit) {
    if (group.isEmpty()) {
      throw new IllegalArgumentException("a group holds at least 1 event, was empty");
    }
    long bytes = 0;
    for (int i = 0; i < group.size(); i++) {
      PLogEvent event = group.get(i);
      if (i > 0 && event.offset() - 1 != group.get(i - 1).offset()) {
        throw new IllegalArgumentException(
            "offsets of a group are consecutive, was "
                + (group.get(i - 1).offset() + " and then " + event.offset()));
      }
      bytes += event.size();
    }
    if (group.size() > 1 && (group.size() > limit.events() || bytes > limit.bytes())) {
      throw new IllegalArgumentException(
          "a group holds at most %d events and %d bytes, was %d events and %d bytes"
              .formatted(limit.events(), limit.bytes(), group.size(), bytes));
    }
  }

  long first() {
    return group.get(0).offset();
  }

  private long last() {
    return group.get(group.size() - 1).offset();
  }

  /** Starts every read the append needs, so that they share one round trip. */
  Reads read(Transaction transaction) {
    CompletableFuture<byte[]> epoch = transaction.get(keys.epoch());
    CompletableFuture<byte[]> before = before(transaction);
    CompletableFuture<List<KeyValue>> taken =
        transaction
            .getRange(keys.plog().pack(first()), keys.plog().range(Tuple.from(last())).end)
            .asList();
    return new Reads(epoch.join(), endBefore(before.join()), rows(taken.join()));
  }

  /** A key alone, not the event there, which may be large. */
  private CompletableFuture<byte[]> before(Transaction transaction) {
    return first() == 1
        ? CompletableFuture.completedFuture(new byte[0])
        : transaction.getKey(KeySelector.lastLessThan(keys.plog().pack(first())));
  }

  private long endBefore(byte[] key) {
    return keys.plog().contains(key) ? keys.plog().unpack(key).getLong(0) : 0;
  }

  private Map<Long, byte[]> rows(List<KeyValue> chunks) {
    Map<Long, Chunks.Assembly> assemblies = new HashMap<>();
    for (KeyValue chunk : chunks) {
      Tuple key = keys.plog().unpack(chunk.getKey());
      long offset = key.getLong(0);
      assemblies
          .computeIfAbsent(offset, unused -> new Chunks.Assembly())
          .add("PLog offset " + offset + " of " + name, key.getLong(1), chunk.getValue());
    }
    Map<Long, byte[]> rows = new HashMap<>();
    assemblies.forEach((offset, assembly) -> rows.put(offset, assembly.bytes()));
    return rows;
  }

  /**
   * What the log holds where the group is to go.
   *
   * @param epoch the stored epoch
   * @param endBefore the last offset before the group; 0 = none
   * @param taken the rows at the group's own offsets
   */
  @SuppressWarnings("ArrayRecordComponent") // never leaves the adapter
  record Reads(byte @Nullable [] epoch, long endBefore, Map<Long, byte[]> taken) {}

  /** Whether the group finds itself in the log. */
  boolean isIn(Reads reads) {
    for (PLogEvent event : group) {
      if (!isSameWrite(event, reads.taken().get(event.offset()))) {
        return false;
      }
    }
    return true;
  }

  void check(Reads reads) {
    if (reads.endBefore() != first() - 1) {
      throw new StorageCorruptedException(
          "PLog offset %d of %s has no predecessor: the log ends at %d; restore what was lost"
              .formatted(first(), name, reads.endBefore()));
    }
    if (mode == WriteMode.PUT) {
      return;
    }
    for (PLogEvent event : group) {
      byte[] found = reads.taken().get(event.offset());
      if (found != null && !isSameWrite(event, found)) {
        throw new SequenceViolationException(event.key(), describe(event.offset(), found));
      }
    }
  }

  void write(Transaction transaction, Reads reads) {
    for (PLogEvent event : group) {
      Subspace row = keys.plog(event.offset());
      if (reads.taken().containsKey(event.offset())) {
        Chunks.clear(transaction, row);
      }
      Chunks.write(transaction, row, event.toBytes());
    }
  }

  private static boolean isSameWrite(PLogEvent event, byte @Nullable [] found) {
    if (found == null) {
      return false;
    }
    PLogEvent stored = decode(event.offset(), found);
    return Arrays.equals(found, event.toBytes())
        || (stored != null && stored.header().writeId().equals(event.header().writeId()));
  }

  private static @Nullable PLogEvent decode(long offset, byte[] stored) {
    try {
      return PLogEvent.fromBytes(offset, stored);
    } catch (StorageCorruptedException unreadable) {
      return null;
    }
  }

  private static String describe(long offset, byte[] found) {
    PLogEvent stored = decode(offset, found);
    return (stored == null ? "no readable event" : "write id " + stored.header().writeId())
        + ", "
        + found.length
        + " bytes";
  }
}
