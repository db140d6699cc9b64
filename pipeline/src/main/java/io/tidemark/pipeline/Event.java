package io.tidemark.pipeline;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.List;

/**
 * An event as readers and projectors see it.
 *
 * @param plogOffset its place in the partition's log
 * @param wsid the workspace
 * @param wlogOffset its place in the workspace's log
 * @param corrupted whether an operator took it out of application
 * @param content what happened; empty if it is corrupted and cannot be read
 */
public record Event(
    long plogOffset, long wsid, long wlogOffset, boolean corrupted, EventContent content) {
  private static final EventContent UNREADABLE = new EventContent("", List.of(), null);

  /** Refuses an event without content. */
  public Event {
    requireNonNull(content, "content");
  }

  /** Its records, as they are stored. */
  public List<RecordRow> recordRows() {
    return AppliedRows.records(plogOffset, wsid, content, new ByteWriter());
  }

  /** The command's name. */
  public String name() {
    return content.name();
  }

  /**
   * Reads a logged event.
   *
   * @throws StorageCorruptedException if its payload was not written by a pipeline
   */
  public static Event of(PLogEvent logged) {
    EventHeader header = logged.header();
    EventContent content;
    try {
      content = decode(logged.key(), logged.payload());
    } catch (StorageCorruptedException e) {
      if (!header.corrupted()) {
        throw e;
      }
      content = UNREADABLE;
    }
    return new Event(
        logged.offset(), header.wsid(), header.wlogOffset(), header.corrupted(), content);
  }

  /** Reads a row of a workspace's log. */
  public static Event of(WLogRow row) {
    return new Event(
        row.plogOffset(), row.wsid(), row.wlogOffset(), false, decode(row.key(), row.payload()));
  }

  private static EventContent decode(String key, byte[] payload) {
    try {
      return EventContent.fromBytes(payload);
    } catch (StorageCorruptedException e) {
      throw new StorageCorruptedException(
          key + " has no payload of a pipeline's event: " + e.getMessage(), e);
    }
  }
}
