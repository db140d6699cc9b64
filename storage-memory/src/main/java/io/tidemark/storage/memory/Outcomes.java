package io.tidemark.storage.memory;

import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The script of a {@link MemoryStore}: consulted before each call, it says what becomes of it.
 *
 * <p>What was scripted for the kind of call comes first, then what was scripted for any call, then
 * the standing outcome of the kind; a call nobody wrote a line for is {@link Outcome#APPLIED}.
 * Reads are applied or refused, nothing else.
 *
 * <p><b>Threads.</b> Safe for use by many threads at once.
 */
public final class Outcomes {
  private final Map<StorageCall, Queue<Outcome>> byCall = new EnumMap<>(StorageCall.class);
  private final Map<StorageCall, Outcome> standing = new EnumMap<>(StorageCall.class);
  private final Queue<Outcome> writes = new ArrayDeque<>();
  private final Queue<Outcome> reads = new ArrayDeque<>();

  Outcomes() {}

  /** Scripts the next writes, whatever their kind. */
  public synchronized Outcomes script(Outcome... next) {
    writes.addAll(List.of(next));
    return this;
  }

  /** Scripts the next calls of one kind. */
  public synchronized Outcomes script(StorageCall call, Outcome... next) {
    for (Outcome outcome : next) {
      requirePossible(call, outcome);
    }
    byCall.computeIfAbsent(call, unused -> new ArrayDeque<>()).addAll(List.of(next));
    return this;
  }

  /** Sets the outcome of every call of one kind for which nothing else is scripted. */
  public synchronized Outcomes always(StorageCall call, Outcome outcome) {
    requirePossible(call, outcome);
    standing.put(call, outcome);
    return this;
  }

  /** Refuses the next reads, whatever their kind. */
  public synchronized Outcomes failReads(int count) {
    for (int i = 0; i < count; i++) {
      reads.add(Outcome.REFUSED);
    }
    return this;
  }

  /** Forgets the script: every call is applied again. */
  public synchronized void clear() {
    byCall.clear();
    standing.clear();
    writes.clear();
    reads.clear();
  }

  synchronized Outcome next(StorageCall call) {
    Outcome outcome = poll(byCall.get(call));
    if (outcome == null) {
      outcome = poll(call.isRead() ? reads : writes);
    }
    return outcome != null ? outcome : standing.getOrDefault(call, Outcome.APPLIED);
  }

  private static @Nullable Outcome poll(@Nullable Queue<Outcome> queue) {
    return queue == null ? null : queue.poll();
  }

  private static void requirePossible(StorageCall call, Outcome outcome) {
    if (call.isRead() && outcome != Outcome.APPLIED && outcome != Outcome.REFUSED) {
      throw new IllegalArgumentException(
          "a read is APPLIED or REFUSED, was " + outcome + " for a " + call);
    }
  }
}
