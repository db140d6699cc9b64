package io.tidemark.storage.memory;

import io.tidemark.spi.PLogEvent;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A stored event: its bytes, and beside them its write id, so that a retry need not decode. */
final class LogRow {
  private final long offset;
  private final @Nullable UUID writeId;
  private final byte[] bytes;

  private LogRow(long offset, @Nullable UUID writeId, byte[] bytes) {
    this.offset = offset;
    this.writeId = writeId;
    this.bytes = bytes;
  }

  static LogRow of(PLogEvent event) {
    return new LogRow(event.offset(), event.header().writeId(), event.toBytes());
  }

  /** A row of somebody else: it is nobody's own write, whatever its bytes say. */
  static LogRow planted(long offset, byte[] bytes) {
    return new LogRow(offset, null, bytes.clone());
  }

  long offset() {
    return offset;
  }

  PLogEvent event() {
    return PLogEvent.fromBytes(offset, bytes);
  }

  boolean isSameWrite(@Nullable LogRow other) {
    return writeId != null && other != null && writeId.equals(other.writeId);
  }

  LogRow asCorrupted() {
    PLogEvent event = event();
    PLogEvent marked = new PLogEvent(offset, event.header().asCorrupted(), event.payload());
    return new LogRow(offset, writeId, marked.toBytes());
  }

  @Override
  public String toString() {
    return (writeId == null ? "planted" : "write id " + writeId) + ", " + bytes.length + " bytes";
  }
}
