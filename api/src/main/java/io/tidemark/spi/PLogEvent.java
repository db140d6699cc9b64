package io.tidemark.spi;

import java.util.Arrays;

/**
 * One event of the partition log. Arrays are not copied: neither side changes them.
 *
 * @param offset its place in the log
 * @param header what the sequencer must know
 * @param payload what the application logged
 */
@SuppressWarnings("ArrayRecordComponent") // rows pass between layers uncopied, on purpose
public record PLogEvent(long offset, EventHeader header, byte[] payload) {
  /** Refuses an offset that cannot be. */
  public PLogEvent {
    if (offset < 1) {
      throw new IllegalArgumentException("offset must be >= 1, was " + offset);
    }
  }

  /** Reads the stored form; see {@link #toBytes}. */
  public static PLogEvent fromBytes(long offset, byte[] stored) {
    return EventCodec.decode(offset, stored);
  }

  /**
   * The stored form: a format version, a checksum over offset, header and payload, then both. A
   * storage keeps these bytes and nothing else of an event. [L-16]
   */
  public byte[] toBytes() {
    return EventCodec.encode(this);
  }

  /** How many bytes count against {@link GroupLimit#bytes}: an upper bound of the stored form. */
  public long size() {
    return payload.length + EventCodec.FIXED_BYTES + 24L * header.touches().size();
  }

  /** The event's key, as an operator would name it. */
  public String key() {
    return "PLog offset " + offset;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PLogEvent event
        && offset == event.offset
        && header.equals(event.header)
        && Arrays.equals(payload, event.payload);
  }

  @Override
  public int hashCode() {
    return (Long.hashCode(offset) * 31 + header.hashCode()) * 31 + Arrays.hashCode(payload);
  }
}
