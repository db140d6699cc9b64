package io.tidemark.spi;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.SequenceTypes;
import java.util.List;
import java.util.UUID;

/**
 * What the sequencer must know of a logged event, whatever its payload.
 *
 * @param writeId names this write: a repeated append that finds itself is success
 * @param groupFirst the first offset of the group the event was appended with
 * @param wsid the workspace
 * @param wsKind its kind
 * @param wlogOffset the event's offset in the workspace's log; 0 = it has none (an imported floor)
 * @param corrupted whether an operator took the event out of application; its numbers still count
 * @param touches what it did to each sequence it touched
 */
public record EventHeader(
    UUID writeId,
    long groupFirst,
    long wsid,
    int wsKind,
    long wlogOffset,
    boolean corrupted,
    List<SequenceTouch> touches) {
  /** Refuses what cannot be. */
  public EventHeader {
    requireNonNull(writeId, "writeId");
    SequenceTypes.requireKind(wsKind);
    touches = List.copyOf(touches);
    if (groupFirst < 1 || wlogOffset < 0) {
      throw new IllegalArgumentException(
          "groupFirst must be >= 1, wlogOffset >= 0, was " + groupFirst + ", " + wlogOffset);
    }
  }

  /** The same header, marked corrupted. */
  public EventHeader asCorrupted() {
    return new EventHeader(writeId, groupFirst, wsid, wsKind, wlogOffset, true, touches);
  }
}
