package io.tidemark.pipeline;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Writes the stored forms: version (1), CRC-32C of all that follows (4), content. Whole numbers are
 * varints, texts are UTF-8 behind their length. Reusable; for one thread at a time.
 */
final class ByteWriter {
  static final int CHECKED_FROM = 5;

  /** A room that grew beyond this is not kept. */
  private static final int MOST_KEPT = 1 << 16;

  private byte[] room = new byte[256];
  private int size;

  ByteWriter begin(int version) {
    if (room.length > MOST_KEPT) {
      room = new byte[256];
    }
    size = 0;
    put(version);
    size = CHECKED_FROM;
    return this;
  }

  byte[] end() {
    byte[] bytes = Arrays.copyOf(room, size);
    ByteBuffer.wrap(bytes).putInt(1, checksum(bytes));
    return bytes;
  }

  static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, CHECKED_FROM, bytes.length - CHECKED_FROM);
    return (int) crc.getValue();
  }

  ByteWriter put(int value) {
    ensure(1);
    room[size++] = (byte) value;
    return this;
  }

  ByteWriter varint(long value) {
    ensure(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      room[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    room[size++] = (byte) rest;
    return this;
  }

  /** A number that may be negative. */
  ByteWriter signed(long value) {
    return varint(value << 1 ^ value >> 63);
  }

  ByteWriter fixed(long value) {
    ensure(8);
    for (int shift = 56; shift >= 0; shift -= 8) {
      room[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  ByteWriter bytes(byte[] value) {
    varint(value.length);
    ensure(value.length);
    System.arraycopy(value, 0, room, size, value.length);
    size += value.length;
    return this;
  }

  ByteWriter text(String value) {
    int length = value.length();
    for (int i = 0; i < length; i++) {
      if (value.charAt(i) >= 0x80) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
      }
    }
    varint(length);
    ensure(length);
    for (int i = 0; i < length; i++) {
      room[size++] = (byte) value.charAt(i);
    }
    return this;
  }

  ByteWriter type(RecordType type) {
    return put(type.kind().code()).text(type.name());
  }

  private void ensure(int more) {
    if (room.length - size < more) {
      room = Arrays.copyOf(room, Math.max(room.length * 2, Math.addExact(size, more)));
    }
  }
}
