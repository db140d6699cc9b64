package io.tidemark.storage.foundationdb.simulated;

import com.apple.foundationdb.FDBException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster holds and decides: versioned rows, and whether a commit conflicts with those since
 * its read version.
 *
 * <p>A version is a microsecond of virtual time, as in FoundationDB; 5 seconds of versions are
 * kept. The cluster is its own lock.
 */
public final class SimulatedCluster {
  static final long KEPT_VERSIONS = 5_000_000;
  private static final long MICROS_PER_TRANSACTION = 1_000;

  /** A commit as it reaches the cluster. */
  record Commit(
      long readVersion,
      List<KeyRange> readConflicts,
      List<KeyRange> writeConflicts,
      List<Mutation> mutations) {}

  private record Resolved(long version, List<KeyRange> written) {}

  private final NavigableMap<byte[], NavigableMap<Long, Optional<byte[]>>> rows =
      new TreeMap<>(Arrays::compareUnsigned);
  private final Deque<Resolved> resolved = new ArrayDeque<>();
  private final List<Commit> late = new ArrayList<>();
  private final SimulatedFaults faults = new SimulatedFaults();
  private long micros = 1_000_000_000;
  private long version = micros;
  private long transactions;
  private long commits;
  private long conflicts;
  private Duration rangeDelay = Duration.ZERO;
  private Set<String> lastTags = Set.of();

  /** The faults to inject. */
  public SimulatedFaults faults() {
    return faults;
  }

  /** A client of this cluster. */
  public SimulatedDatabase connect() {
    return new SimulatedDatabase(this, faults);
  }

  /** A client of this cluster for which nothing goes wrong. */
  public SimulatedDatabase connectSafely() {
    return new SimulatedDatabase(this, new SimulatedFaults());
  }

  /** Lets virtual time pass. */
  public synchronized void advance(Duration time) {
    micros += time.toNanos() / 1_000;
  }

  /** The virtual clock. */
  public synchronized long nanoTime() {
    return micros * 1_000;
  }

  synchronized long micros() {
    return micros;
  }

  /** Lets every batch of a range read take this long. */
  public synchronized void rangeDelay(Duration delay) {
    rangeDelay = delay;
  }

  synchronized Duration rangeDelay() {
    return rangeDelay;
  }

  /** How many commits with writes were applied. */
  public synchronized long commits() {
    return commits;
  }

  /** How many commits were refused for a conflict. */
  public synchronized long conflicts() {
    return conflicts;
  }

  /** How many commits are still on their way. */
  public synchronized int lateCommits() {
    return late.size();
  }

  /** Lets every late commit arrive; answers how many were applied. */
  public synchronized int deliverLate() {
    int applied = 0;
    while (!late.isEmpty()) {
      applied += deliver(late.remove(0)) ? 1 : 0;
    }
    return applied;
  }

  /** Whether it was applied; nobody waits for the answer. */
  synchronized boolean deliver(Commit commit) {
    try {
      commit(commit);
      return true;
    } catch (FDBException refused) {
      return false;
    }
  }

  /** How many transactions were begun. */
  public synchronized long transactions() {
    return transactions;
  }

  synchronized void begin() {
    transactions++;
    micros += MICROS_PER_TRANSACTION;
    if (!late.isEmpty() && faults.arrives()) {
      deliver(late.remove(0));
    }
  }

  /** The tags of the last transaction that was sent to commit. */
  public synchronized Set<String> lastTags() {
    return lastTags;
  }

  synchronized void sent(Set<String> tags) {
    lastTags = Set.copyOf(tags);
  }

  synchronized void postpone(Commit commit) {
    late.add(commit);
  }

  /** At least the version of every commit acknowledged so far. */
  synchronized long readVersion() {
    version = Math.max(version, micros);
    return version;
  }

  synchronized void requireReadable(long readVersion) {
    if (readVersion < Math.max(version, micros) - KEPT_VERSIONS) {
      throw new FDBException("Transaction is too old to perform reads or be committed", 1007);
    }
  }

  synchronized long commit(Commit commit) {
    requireReadable(commit.readVersion());
    for (Iterator<Resolved> newest = resolved.descendingIterator(); newest.hasNext(); ) {
      Resolved other = newest.next();
      if (other.version() <= commit.readVersion()) {
        break;
      }
      requireNoConflict(commit, other);
    }
    version = Math.max(version + 1, micros);
    for (Mutation mutation : commit.mutations()) {
      apply(mutation);
    }
    resolved.addLast(new Resolved(version, commit.writeConflicts()));
    while (resolved.getFirst().version() < version - KEPT_VERSIONS) {
      resolved.removeFirst();
    }
    commits++;
    return version;
  }

  private void requireNoConflict(Commit commit, Resolved other) {
    for (KeyRange read : commit.readConflicts()) {
      for (KeyRange written : other.written()) {
        if (read.intersects(written)) {
          conflicts++;
          throw new FDBException(
              "Transaction not committed due to conflict with another transaction", 1020);
        }
      }
    }
  }

  private void apply(Mutation mutation) {
    if (mutation.value() == null) {
      var touched = rows.subMap(mutation.range().begin(), mutation.range().end());
      for (Map.Entry<byte[], NavigableMap<Long, Optional<byte[]>>> row :
          List.copyOf(touched.entrySet())) {
        put(row.getKey(), null);
      }
    } else {
      byte[] old = get(mutation.key(), Long.MAX_VALUE);
      put(mutation.key(), mutation.applyTo(old));
    }
  }

  private void put(byte[] key, byte @Nullable [] value) {
    NavigableMap<Long, Optional<byte[]>> history =
        rows.computeIfAbsent(key, unused -> new TreeMap<>());
    history.put(version, Optional.ofNullable(value));
    Long oldestKept = history.floorKey(version - KEPT_VERSIONS);
    if (oldestKept != null) {
      history.headMap(oldestKept, false).clear();
    }
  }

  synchronized byte @Nullable [] get(byte[] key, long atVersion) {
    NavigableMap<Long, Optional<byte[]>> history = rows.get(key);
    Map.Entry<Long, Optional<byte[]>> entry =
        history == null ? null : history.floorEntry(atVersion);
    return entry == null ? null : entry.getValue().orElse(null);
  }

  /** The first key that ever was, from {@code from} on; it may have no value at a version. */
  synchronized byte @Nullable [] ceilingKey(byte[] from) {
    return rows.ceilingKey(from);
  }

  synchronized byte @Nullable [] lowerKey(byte[] before) {
    return rows.lowerKey(before);
  }
}
