package io.tidemark.tck;

import io.tidemark.api.SystemSequences;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What the engine's owners did and were told, and what was stored at each turn: checked against the
 * invariants of {@code docs/spec.md}.
 */
final class EngineHistory {
  /** A workspace's sequence. */
  record Key(long wsid, int seqId) {
    @Override
    public String toString() {
      return "sequence " + seqId + " of workspace " + Long.toUnsignedString(wsid);
    }
  }

  private record Attempt(PLogEvent event, int claim) {}

  private enum Fate {
    IN,
    OUT
  }

  private final IPartitionReader reader;
  private final Map<UUID, Attempt> attempts = new LinkedHashMap<>();
  private final Map<UUID, Fate> decided = new HashMap<>();
  private final Set<UUID> acknowledged = new HashSet<>();
  private final List<UUID> seen = new ArrayList<>();
  private int claims;

  EngineHistory(IPartitionReader reader) {
    this.reader = reader;
  }

  /** A claim has returned: what older handles attempted is decided. */
  synchronized int claimed() {
    decide(Integer.MAX_VALUE);
    return ++claims;
  }

  synchronized void settled(int claim) {
    decide(claim);
  }

  /** Notes an append. A handle that was deposed before it tried must never get anything in. */
  synchronized void attempted(List<PLogEvent> group, int claim) {
    for (PLogEvent event : group) {
      attempts.put(event.header().writeId(), new Attempt(event, claim));
      if (claim < claims) {
        decided.putIfAbsent(event.header().writeId(), Fate.OUT);
      }
    }
  }

  synchronized void acknowledged(List<PLogEvent> group) {
    group.forEach(event -> acknowledged.add(event.header().writeId()));
  }

  /** Fixes the fate of what claims up to {@code claim} attempted. */
  private void decide(int claim) {
    Set<UUID> logged = new HashSet<>();
    log().forEach(event -> logged.add(event.header().writeId()));
    attempts.forEach(
        (writeId, attempt) -> {
          if (attempt.claim() <= claim) {
            decided.putIfAbsent(writeId, logged.contains(writeId) ? Fate.IN : Fate.OUT);
          }
        });
  }

  private List<PLogEvent> log() {
    List<PLogEvent> log = new ArrayList<>();
    reader.readPLog(1, log::add);
    return log;
  }

  /** What holds at every instant: I1 to I5, I7, I9, I10 and I11. */
  synchronized List<PLogEvent> check() {
    long stored = reader.readNextPLogOffset();
    List<PLogEvent> log = log();
    checkOnlyGrown(log);
    checkFates(log);
    checkNumbers(log);
    if (stored > log.size() + 1) {
      throw broken("I7", "the stored next offset is %d, the log ends at %d", stored, log.size());
    }
    fold(log, stored - 1)
        .forEach(
            (key, number) -> {
              long found = reader.readNumbers(key.wsid(), new int[] {key.seqId()})[0];
              if (found < number) {
                throw broken(
                    "I5",
                    "%s is stored as %d, the log before %d has %d",
                    key,
                    found,
                    stored,
                    number);
              }
            });
    return log;
  }

  private void checkOnlyGrown(List<PLogEvent> log) {
    for (int i = 0; i < log.size(); i++) {
      UUID writeId = log.get(i).header().writeId();
      if (log.get(i).offset() != i + 1L) {
        throw broken("I4", "the log's %dth event has the offset %d", i + 1, log.get(i).offset());
      }
      if (i == seen.size()) {
        seen.add(writeId);
      } else if (!seen.get(i).equals(writeId)) {
        throw broken("I4", "PLog offset %d was overwritten", i + 1);
      }
      if (!attempts.containsKey(writeId)) {
        throw broken("I4", "PLog offset %d holds an event nobody appended", i + 1);
      }
    }
    if (log.size() < seen.size()) {
      throw broken("I9", "PLog offset %d was there and is gone", log.size() + 1);
    }
  }

  private void checkFates(List<PLogEvent> log) {
    Set<UUID> logged = new HashSet<>();
    log.forEach(event -> logged.add(event.header().writeId()));
    for (UUID writeId : acknowledged) {
      if (!logged.contains(writeId)) {
        throw broken("I9", "%s was acknowledged and is not in the log", eventOf(writeId).key());
      }
    }
    decided.forEach(
        (writeId, fate) -> {
          if (fate == Fate.OUT && logged.contains(writeId)) {
            throw broken(
                "I10, I11",
                "%s appeared after its owner had settled or another owner had claimed",
                eventOf(writeId).key());
          }
        });
  }

  private PLogEvent eventOf(UUID writeId) {
    Attempt attempt = attempts.get(writeId);
    if (attempt == null) {
      throw new IllegalStateException("never attempted: " + writeId);
    }
    return attempt.event();
  }

  private static void checkNumbers(List<PLogEvent> log) {
    Map<Key, Long> last = new HashMap<>();
    for (PLogEvent event : log) {
      for (Drawn drawn : Drawn.read(event.payload())) {
        Key key = new Key(event.header().wsid(), drawn.seqId());
        long previous = last.getOrDefault(key, 0L);
        if (drawn.number() <= previous) {
          throw broken(
              "I1, I2, I3", "%s: %s gave %d after %d", event.key(), key, drawn.number(), previous);
        }
        if (drawn.number() != previous + 1) {
          throw broken(
              "I2",
              "%s: %s has a gap between %d and %d",
              event.key(),
              key,
              previous,
              drawn.number());
        }
        last.put(key, drawn.number());
      }
    }
  }

  /** At rest: I6. */
  synchronized void checkAtRest() {
    List<PLogEvent> log = check();
    long stored = reader.readNextPLogOffset();
    if (stored != log.size() + 1) {
      throw broken(
          "I6", "at rest %d is stored as next offset, the log ends at %d", stored, log.size());
    }
    Map<Key, Long> expected = fold(log, log.size());
    Map<Key, Long> found = new HashMap<>();
    reader.scanNumbers(
        (wsid, seqId, number) -> {
          found.put(new Key(wsid, seqId), number);
          return true;
        });
    if (!found.equals(expected)) {
      throw broken("I6", "at rest %s is stored, the log has %s", found, expected);
    }
  }

  static Map<Key, Long> fold(List<PLogEvent> log, long events) {
    Map<Key, Long> numbers = new HashMap<>();
    for (PLogEvent event : log.subList(0, (int) Math.min(events, log.size()))) {
      long wsid = event.header().wsid();
      numbers.merge(
          new Key(wsid, SystemSequences.WORKSPACE_KIND), (long) event.header().wsKind(), Math::max);
      for (SequenceTouch touch : event.header().touches()) {
        numbers.merge(new Key(wsid, touch.seqId()), touch.last(), Math::max);
      }
    }
    return numbers;
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
  static AssertionError broken(String invariants, String text, Object... values) {
    return new AssertionError("invariant " + invariants + ": " + text.formatted(values));
  }
}
