package io.tidemark.simulation;

import io.tidemark.spi.PLogEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the owners did and were told, recorded outside the engine. */
final class History {
  /** An attempted event. */
  record Attempt(PLogEvent event, int claim, int settles) {}

  private final Map<UUID, Attempt> attempts = new HashMap<>();
  private final Set<UUID> acknowledged = new HashSet<>();
  private final Map<Integer, Integer> settles = new HashMap<>();
  private int lastClaim;
  private @Nullable Violation reported;
  private int pendingClaims;

  /** Keeps a violation that was seen inside the engine, which would take it for a failed call. */
  void report(Violation violation) {
    if (reported == null) {
      reported = violation;
    }
  }

  void throwReported() {
    if (reported != null) {
      throw reported;
    }
  }

  /** A claim that may take effect at any time from now on, or never. */
  void claimPending() {
    pendingClaims++;
  }

  /** What was pending can take effect no more. */
  void claimsDecided() {
    pendingClaims = 0;
  }

  /** Whether a claim other than this one may have taken effect after it. */
  boolean mayBeFenced(int claim) {
    return claim < lastClaim || pendingClaims > 0;
  }

  /** A claim returned: older handles are fenced from now on. */
  void claimed(int order) {
    lastClaim = Math.max(lastClaim, order);
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

  /** Whether it is not decided yet if the event is in the log. */
  boolean isUndecided(PLogEvent event) {
    UUID writeId = event.header().writeId();
    Attempt attempt = attempt(writeId);
    return !acknowledged.contains(writeId)
        && attempt.claim() == lastClaim
        && attempt.settles() == settlesOf(lastClaim);
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

  /**
   * Stands for what later checks depend on: whether an event of the log was acknowledged or may
   * still vanish, which attempts may still appear, and who may be fenced.
   */
  long hash(List<PLogEvent> log) {
    long hash = pendingClaims > 0 ? 1 : 0;
    Set<UUID> logged = new HashSet<>();
    for (PLogEvent event : log) {
      UUID id = event.header().writeId();
      logged.add(id);
      hash = Mix.of(hash, acknowledged.contains(id) ? 1 : isUndecided(event) ? 2 : 3);
    }
    for (Attempt attempt : attempts.values()) {
      if (!logged.contains(attempt.event().header().writeId()) && isUndecided(attempt.event())) {
        hash += Mix.spread(FaultyPartition.contents(List.of(attempt.event())));
      }
    }
    return hash;
  }
}
