package io.tidemark.simulation;

import io.tidemark.spi.PLogEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What the owners did and were told, recorded outside the engine. */
final class History {
  /** An attempted event. */
  record Attempt(PLogEvent event, int claim, int settles) {}

  private final Map<UUID, Attempt> attempts = new HashMap<>();
  private final Set<UUID> acknowledged = new HashSet<>();
  private final Map<Integer, Integer> settles = new HashMap<>();
  private int lastClaim;

  /** A claim took effect: older handles are fenced from now on. Answers its place among claims. */
  int claimed() {
    return ++lastClaim;
  }

  int lastClaim() {
    return lastClaim;
  }

  void attempted(PLogEvent event, int claim) {
    attempts.put(event.header().writeId(), new Attempt(event, claim, settlesOf(claim)));
  }

  void acknowledged(PLogEvent event) {
    acknowledged.add(event.header().writeId());
  }

  void settled(int claim) {
    settles.merge(claim, 1, Integer::sum);
  }

  int settlesOf(int claim) {
    return settles.getOrDefault(claim, 0);
  }

  Attempt attempt(UUID writeId) {
    Attempt attempt = attempts.get(writeId);
    if (attempt == null) {
      throw new Violation("I4", "the log holds an event nobody appended: " + writeId);
    }
    return attempt;
  }

  Set<UUID> acknowledged() {
    return acknowledged;
  }
}
