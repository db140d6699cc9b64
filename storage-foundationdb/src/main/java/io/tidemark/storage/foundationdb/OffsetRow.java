package io.tidemark.storage.foundationdb;

import io.tidemark.api.StorageCorruptedException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The stored form of a record or a workspace-log row: version (1), plogOffset (8), length of the
 * data (4), data. All but the data is in the first chunk.
 *
 * @param plogOffset the offset of the event that wrote it
 * @param length how long the data is
 * @param bytes what was read of the stored form: all of it, or its first chunk
 */
@SuppressWarnings("ArrayRecordComponent") // never leaves the adapter
record OffsetRow(long plogOffset, int length, byte[] bytes) {
  static final int HEADER_BYTES = 1 + Long.BYTES + Integer.BYTES;
  private static final byte VERSION = 1;

  static byte[] encode(long plogOffset, byte[] data) {
    return ByteBuffer.allocate(HEADER_BYTES + data.length)
        .put(VERSION)
        .putLong(plogOffset)
        .putInt(data.length)
        .put(data)
        .array();
  }

  static OffsetRow decode(String what, byte[] stored) {
    if (stored.length < HEADER_BYTES) {
      throw new StorageCorruptedException(
          what + " has only " + stored.length + " bytes; restore it from a backup");
    }
    ByteBuffer in = ByteBuffer.wrap(stored);
    byte version = in.get();
    if (version != VERSION) {
      throw new StorageCorruptedException(
          what + " has format version " + version + ", this release reads " + VERSION);
    }
    return new OffsetRow(in.getLong(), in.getInt(), stored);
  }

  /** The data, if all of it was read. */
  byte[] data(String what) {
    if (bytes.length - HEADER_BYTES != length) {
      throw new StorageCorruptedException(
          "%s must have %d bytes of data, has %d; restore it from a backup"
              .formatted(what, length, bytes.length - HEADER_BYTES));
    }
    return Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length);
  }
}
