package io.tidemark.pipeline;

import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.SystemSequences;
import io.tidemark.api.TrustLevel;
import io.tidemark.core.Environment;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.SequenceTouch;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Clears the stored failure of a claimed partition the way an operator has decided. */
final class FailureResolver {
  private final IPartitionStorage storage;
  private final TrustLevel level;
  private final Environment environment;
  private final Applier applier;

  FailureResolver(IPartitionStorage storage, TrustLevel level, Environment environment) {
    this.storage = storage;
    this.level = level;
    this.environment = environment;
    this.applier = new Applier(storage, level, List.of()); // whoever deploys next runs projectors
  }

  /**
   * Clears the failure, or leaves it and says why not.
   *
   * @throws IllegalStateException if there is no failure, or it cannot be resolved this way
   * @throws SequenceViolationException if the foreign row is still there
   */
  void resolve(Resolution how) {
    PartitionFailure failure = storage.failure();
    if (failure == null) {
      throw new IllegalStateException(
          "partition " + storage.partition() + " has no stored failure to resolve");
    }
    FailureKey key = FailureKey.of(failure);
    PLogEvent logged = loggedEvent(failure.key());
    if (how == Resolution.RETRY) {
      requireGone(failure, key, logged);
    } else if (key.place() == FailureKey.Place.PLOG) {
      markForeign(key.number());
    } else if (logged != null) {
      storage.markCorrupted(logged.offset());
    } else {
      logFloor(key);
    }
    storage.storeFailure(null);
  }

  /** The event of the last group that writes the row, or null. */
  private @Nullable PLogEvent loggedEvent(String key) {
    if (key.startsWith("PLog")) {
      return null;
    }
    for (PLogEvent event : applier.tail()) {
      EventHeader header = event.header();
      if (header.corrupted() || header.wlogOffset() == 0) {
        continue;
      }
      Event view = Event.of(event);
      BuiltEvent built =
          new BuiltEvent(
              event,
              view.content(),
              AppliedRows.records(event.offset(), view.wsid(), view.content(), new ByteWriter()),
              new CommandReply(event.offset(), header.wlogOffset(), Map.of(), List.of()));
      if (FailureKey.writes(built, key)) {
        return event;
      }
    }
    return null;
  }

  private void requireGone(PartitionFailure failure, FailureKey key, @Nullable PLogEvent logged) {
    if (key.place() != FailureKey.Place.PLOG) {
      applier.reapply(Cancellation.NEVER); // meets the row again if it is still there
    }
    if (logged == null && isThere(key)) {
      throw new SequenceViolationException(
          failure.key(), "it is still there; remove it, or resolve by skipping");
    }
  }

  private boolean isThere(FailureKey key) {
    return switch (key.place()) {
      case PLOG -> storage.logEnd() >= key.number();
      case RECORD -> storage.readRecord(key.wsid(), key.number()) != null;
      case WLOG -> {
        boolean[] found = new boolean[1];
        storage.readWLog(
            key.wsid(),
            key.number(),
            row -> {
              found[0] = row.wlogOffset() == key.number();
              return false;
            });
        yield found[0];
      }
    };
  }

  private void markForeign(long offset) {
    try {
      storage.markCorrupted(offset);
    } catch (StorageCorruptedException e) {
      throw new IllegalStateException(
          "PLog offset "
              + offset
              + " is no readable event, so it cannot be skipped: remove it, then retry",
          e);
    }
  }

  private void logFloor(FailureKey key) {
    int seqId =
        key.place() == FailureKey.Place.WLOG
            ? SystemSequences.WLOG_OFFSET
            : RecordIds.sequence(key.number());
    if (seqId == 0) {
      throw new IllegalStateException(
          "record id " + key.number() + " belongs to no sequence: remove the row, then retry");
    }
    long offset = storage.logEnd() + 1;
    EventHeader header =
        new EventHeader(
            environment.randomId(),
            offset,
            key.wsid(),
            kind(key),
            0,
            false,
            List.of(new SequenceTouch(seqId, 0, key.number(), true)));
    storage.append(List.of(new PLogEvent(offset, header, new byte[0])), level.events());
  }

  private int kind(FailureKey key) {
    if (key.wsKind() != 0) {
      return key.wsKind();
    }
    long[] stored = storage.readNumbers(key.wsid(), new int[] {SystemSequences.WORKSPACE_KIND});
    if (stored[0] == 0) {
      throw new IllegalStateException(
          "the kind of workspace "
              + Long.toUnsignedString(key.wsid())
              + " is not known: remove the row, then retry");
    }
    return (int) stored[0];
  }
}
