package io.tidemark.pipeline;

import io.tidemark.api.StorageCorruptedException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads what {@link ByteWriter} wrote. Whatever it is given, it answers or throws {@link
 * StorageCorruptedException}, and allocates no more than the bytes it has call for.
 */
final class ByteReader {
  private final byte[] bytes;
  private int at;

  ByteReader(byte[] bytes, int version) {
    this.bytes = bytes;
    if (bytes.length < ByteWriter.CHECKED_FROM) {
      throw corrupted("only " + bytes.length + " bytes");
    }
    if (bytes[0] != version) {
      throw corrupted("format version " + bytes[0] + ", this release reads " + version);
    }
    if (ByteBuffer.wrap(bytes).getInt(1) != ByteWriter.checksum(bytes)) {
      throw corrupted("its checksum does not match");
    }
    at = ByteWriter.CHECKED_FROM;
  }

  static StorageCorruptedException corrupted(String problem) {
    return new StorageCorruptedException("it is not readable: " + problem);
  }

  int get() {
    require(1);
    return bytes[at++] & 0xFF;
  }

  long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = get();
      value |= (long) (next & 0x7F) << shift;
      if ((next & 0x80) == 0) {
        return value;
      }
    }
    throw corrupted("a number does not end");
  }

  long signed() {
    long value = varint();
    return value >>> 1 ^ -(value & 1);
  }

  long fixed() {
    require(8);
    long value = ByteBuffer.wrap(bytes).getLong(at);
    at += 8;
    return value;
  }

  /** How many things follow, each of at least {@code least} bytes. */
  int count(int least) {
    long count = varint();
    if (count < 0 || count > (bytes.length - at) / least) {
      throw corrupted("a count is larger than what follows");
    }
    return (int) count;
  }

  byte[] bytes() {
    byte[] value = new byte[count(1)];
    System.arraycopy(bytes, at, value, 0, value.length);
    at += value.length;
    return value;
  }

  String text() {
    int length = count(1);
    int from = at;
    at += length;
    for (int i = from; i < at; i++) {
      if (bytes[i] < 0) {
        return unicode(from, length);
      }
    }
    return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
  }

  private String unicode(int from, int length) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, from, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw new StorageCorruptedException("it is not readable: a text is not UTF-8", e);
    }
  }

  RecordType type() {
    RecordKind kind = RecordKind.ofCode(get());
    String name = text();
    if (name.isBlank()) {
      throw corrupted("a type has no name");
    }
    return new RecordType(name, kind);
  }

  void end() {
    if (at != bytes.length) {
      throw corrupted(bytes.length - at + " bytes are left over");
    }
  }

  private void require(int count) {
    if (bytes.length - at < count) {
      throw corrupted("it ends early");
    }
  }
}
