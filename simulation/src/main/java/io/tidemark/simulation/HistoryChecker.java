package io.tidemark.simulation;

import io.tidemark.api.SystemSequences;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Checks what is stored against what was done: after every write the invariants that hold at every
 * instant, at rest the others.
 */
final class HistoryChecker {
  /** A workspace's sequence. */
  record Key(long wsid, int seqId) {}

  private final History history;
  private final IPartitionReader reader;
  private final Supplier<List<PLogEvent>> events;
  private final List<PLogEvent> log = new ArrayList<>();
  private boolean headersOnly;

  HistoryChecker(History history, IPartitionReader reader, Supplier<List<PLogEvent>> events) {
    this.history = history;
    this.reader = reader;
    this.events = events;
  }

  /** The log as last seen. */
  List<PLogEvent> log() {
    return log;
  }

  /** Takes the log as it is, where it was checked before. */
  void follow() {
    log.clear();
    log.addAll(events.get());
  }

  /** After every write: I1, I2, I4, I5, I7, I9, I10, I11. */
  void checkInstant() {
    List<PLogEvent> now = events.get();
    checkOnlyGrown(now);
    for (int i = 0; i < now.size(); i++) {
      if (i >= log.size() || !isSame(now.get(i), log.get(i))) {
        checkNew(now.get(i));
      }
    }
    log.clear();
    log.addAll(now);
    checkAcknowledged();
    checkNumbers();
    checkCovered();
  }

  private void checkOnlyGrown(List<PLogEvent> now) {
    for (int i = 0; i < log.size(); i++) {
      if (i < now.size() && isSame(now.get(i), log.get(i))) {
        continue;
      }
      if (history.isUndecided(log.get(i))) {
        return; // seen early; I10 lets it end as out until its owner has settled
      }
      throw i < now.size()
          ? new Violation("I4", "PLog offset " + (i + 1) + " was overwritten")
          : new Violation("I9", "PLog offset " + (i + 1) + " was there and is gone");
    }
  }

  private static boolean isSame(PLogEvent one, PLogEvent other) {
    return one.header().writeId().equals(other.header().writeId());
  }

  private void checkNew(PLogEvent event) {
    History.Attempt attempt = history.attempt(event.header().writeId());
    if (attempt.claim() < history.lastClaim()) {
      throw new Violation(
          "I11",
          "%s of claim %d appeared after claim %d had returned"
              .formatted(event.key(), attempt.claim(), history.lastClaim()));
    }
    if (attempt.settles() < history.settlesOf(attempt.claim())) {
      throw new Violation("I10", event.key() + " appeared after its owner had settled");
    }
  }

  private void checkAcknowledged() {
    Set<UUID> logged = new HashSet<>();
    log.forEach(event -> logged.add(event.header().writeId()));
    for (UUID writeId : history.acknowledged()) {
      if (!logged.contains(writeId)) {
        PLogEvent lost = history.attempt(writeId).event();
        throw new Violation("I9", lost.key() + " was acknowledged and is not in the log");
      }
    }
  }

  /** Of payloads that are not the simulation's own the headers must do. */
  void trustHeaders() {
    headersOnly = true;
  }

  private void checkHeaders() {
    Map<Key, Long> last = new HashMap<>();
    for (PLogEvent event : log) {
      for (SequenceTouch touch : event.header().touches()) {
        Key key = new Key(event.header().wsid(), touch.seqId());
        long previous = last.getOrDefault(key, 0L);
        if (!touch.observed() && previous > 0 && touch.last() != previous + touch.count()) {
          throw new Violation(
              touch.last() <= previous ? "I1" : "I2",
              "%s: sequence %d of workspace %d goes from %d to %d by %d draws"
                  .formatted(
                      event.key(), key.seqId(), key.wsid(), previous, touch.last(), touch.count()));
        }
        last.merge(key, touch.last(), Math::max);
      }
    }
  }

  private void checkNumbers() {
    if (headersOnly) {
      checkHeaders();
      return;
    }
    Map<Key, Long> last = new HashMap<>();
    for (PLogEvent event : log) {
      for (Drawn drawn : Drawn.read(event.payload())) {
        Key key = new Key(event.header().wsid(), drawn.seqId());
        long previous = last.getOrDefault(key, 0L);
        if (drawn.number() <= previous) {
          throw new Violation(
              drawn.observed() || drawn.number() == previous ? "I1" : "I2",
              "%s: sequence %d of workspace %d gave %d after %d"
                  .formatted(event.key(), key.seqId(), key.wsid(), drawn.number(), previous));
        }
        if (!drawn.observed() && drawn.number() != previous + 1) {
          throw new Violation(
              "I2",
              "%s: sequence %d of workspace %d has a gap between %d and %d"
                  .formatted(event.key(), key.seqId(), key.wsid(), previous, drawn.number()));
        }
        last.put(key, drawn.number());
      }
    }
  }

  private void checkCovered() {
    long stored = reader.readNextPLogOffset();
    if (stored > log.size() + 1) {
      throw new Violation(
          "I7", "stored next offset " + stored + ", but the log ends at " + log.size());
    }
    Map<Key, Long> needed = fold(stored - 1);
    needed.forEach(
        (key, number) -> {
          long found = reader.readNumbers(key.wsid(), new int[] {key.seqId()})[0];
          if (found < number) {
            throw new Violation(
                "I5",
                "sequence %d of workspace %d is stored as %d, the log before %d has %d"
                    .formatted(key.seqId(), key.wsid(), found, stored, number));
          }
        });
  }

  /** At rest: I6. */
  void checkAtRest() {
    checkInstant();
    long stored = reader.readNextPLogOffset();
    if (stored != log.size() + 1) {
      throw new Violation(
          "I6", "at rest the stored next offset is " + stored + ", the log ends at " + log.size());
    }
    Map<Key, Long> expected = fold(log.size());
    reader.scanNumbers(
        (wsid, seqId, number) -> {
          if (expected.getOrDefault(new Key(wsid, seqId), 0L) != number) {
            throw new Violation(
                "I6",
                "sequence %d of workspace %d is stored as %d, the log has %d"
                    .formatted(
                        seqId, wsid, number, expected.getOrDefault(new Key(wsid, seqId), 0L)));
          }
          return true;
        });
  }

  private Map<Key, Long> fold(long events) {
    Map<Key, Long> numbers = new HashMap<>();
    for (PLogEvent event : log.subList(0, (int) events)) {
      long wsid = event.header().wsid();
      numbers.merge(
          new Key(wsid, SystemSequences.WORKSPACE_KIND), (long) event.header().wsKind(), Math::max);
      for (SequenceTouch touch : event.header().touches()) {
        numbers.merge(new Key(wsid, touch.seqId()), touch.last(), Math::max);
      }
    }
    return numbers;
  }
}
