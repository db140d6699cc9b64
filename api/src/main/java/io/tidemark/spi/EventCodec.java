package io.tidemark.spi;

import io.tidemark.api.StorageCorruptedException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of an event, big-endian: version (1), CRC-32C of the offset and all that follows
 * (4), flags (1), write id (16), groupFirst (8), wsid (8), wsKind (2), wlogOffset (8), number of
 * touches (2), touches (2 + 1 + 8 + 8 each), payload (the rest).
 */
final class EventCodec {
  static final byte VERSION = 1;
  static final int FIXED_BYTES = 1 + 4 + 1 + 16 + 8 + 8 + 2 + 8 + 2;
  private static final int TOUCH_BYTES = 2 + 1 + 8 + 8;
  private static final int CHECKED_FROM = 5;
  private static final byte CORRUPTED = 1;
  private static final byte OBSERVED = 1;

  private EventCodec() {}

  static byte[] encode(PLogEvent event) {
    EventHeader header = event.header();
    List<SequenceTouch> touches = header.touches();
    if (touches.size() > 0xFFFF) {
      throw new IllegalArgumentException("an event touches at most 65535 sequences");
    }
    byte[] bytes = new byte[FIXED_BYTES + TOUCH_BYTES * touches.size() + event.payload().length];
    ByteBuffer out = ByteBuffer.wrap(bytes);
    out.put(VERSION).putInt(0).put(header.corrupted() ? CORRUPTED : 0);
    out.putLong(header.writeId().getMostSignificantBits());
    out.putLong(header.writeId().getLeastSignificantBits());
    out.putLong(header.groupFirst()).putLong(header.wsid());
    out.putShort((short) header.wsKind()).putLong(header.wlogOffset());
    out.putShort((short) touches.size());
    for (SequenceTouch touch : touches) {
      out.putShort((short) touch.seqId()).put(touch.observed() ? OBSERVED : 0);
      out.putLong(touch.count()).putLong(touch.last());
    }
    out.put(event.payload());
    return out.putInt(1, checksum(event.offset(), bytes)).array();
  }

  static PLogEvent decode(long offset, byte[] stored) {
    if (stored.length < FIXED_BYTES) {
      throw corrupted(offset, "only " + stored.length + " bytes", null);
    }
    ByteBuffer in = ByteBuffer.wrap(stored);
    byte version = in.get();
    if (version != VERSION) {
      throw corrupted(offset, "format version " + version + ", this release reads 1", null);
    }
    if (in.getInt() != checksum(offset, stored)) {
      throw corrupted(offset, "its checksum does not match", null);
    }
    try {
      return decode(offset, in);
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      throw corrupted(offset, "its header cannot be read", e);
    }
  }

  private static PLogEvent decode(long offset, ByteBuffer in) {
    boolean corrupted = flag(in, CORRUPTED);
    UUID writeId = new UUID(in.getLong(), in.getLong());
    long groupFirst = in.getLong();
    long wsid = in.getLong();
    int wsKind = Short.toUnsignedInt(in.getShort());
    long wlogOffset = in.getLong();
    int count = Short.toUnsignedInt(in.getShort());
    if (count * TOUCH_BYTES > in.remaining()) {
      throw new BufferUnderflowException();
    }
    List<SequenceTouch> touches = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int seqId = Short.toUnsignedInt(in.getShort());
      boolean observed = flag(in, OBSERVED);
      touches.add(new SequenceTouch(seqId, in.getLong(), in.getLong(), observed));
    }
    byte[] payload = new byte[in.remaining()];
    in.get(payload);
    EventHeader header =
        new EventHeader(writeId, groupFirst, wsid, wsKind, wlogOffset, corrupted, touches);
    return new PLogEvent(offset, header, payload);
  }

  private static boolean flag(ByteBuffer in, byte known) {
    byte flags = in.get();
    if ((flags & ~known) != 0) {
      throw new IllegalArgumentException("unknown flags " + flags);
    }
    return flags != 0;
  }

  private static int checksum(long offset, byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, offset));
    crc.update(bytes, CHECKED_FROM, bytes.length - CHECKED_FROM);
    return (int) crc.getValue();
  }

  private static StorageCorruptedException corrupted(
      long offset, String problem, @Nullable RuntimeException cause) {
    return new StorageCorruptedException(
        "PLog offset " + offset + " is not a readable event: " + problem, cause);
  }
}
