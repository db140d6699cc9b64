package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.subspace.Subspace;
import io.tidemark.api.StorageCorruptedException;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row that may be larger than a value: its bytes under consecutive numbers from 0. An empty row
 * has one empty chunk, so that a row exists exactly when its chunk 0 does.
 */
final class Chunks {
  /** FoundationDB's limit is 100,000. */
  static final int BYTES = 90_000;

  private Chunks() {}

  static int count(long length) {
    return (int) Math.max(1, (length + BYTES - 1) / BYTES);
  }

  static byte[] firstKey(Subspace row) {
    return row.pack(0);
  }

  static void write(Transaction transaction, Subspace row, byte[] bytes) {
    int chunks = count(bytes.length);
    for (int i = 0; i < chunks; i++) {
      int from = i * BYTES;
      transaction.set(
          row.pack(i), Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + BYTES)));
    }
  }

  static void clear(Transaction transaction, Subspace row) {
    transaction.clear(row.range());
  }

  /** The bytes of a row, or null if there is none. */
  static byte @Nullable [] join(String what, Subspace row, List<KeyValue> chunks) {
    if (chunks.isEmpty()) {
      return null;
    }
    Assembly assembly = new Assembly();
    for (KeyValue chunk : chunks) {
      assembly.add(what, row.unpack(chunk.getKey()).getLong(0), chunk.getValue());
    }
    return assembly.bytes();
  }

  /** A row on its way back from its chunks. */
  static final class Assembly {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long next;

    void add(String what, long number, byte[] chunk) {
      if (number != next) {
        throw new StorageCorruptedException(
            "%s lacks its chunk %d, the next is %d; restore it from a backup"
                .formatted(what, next, number));
      }
      next++;
      bytes.writeBytes(chunk);
    }

    byte[] bytes() {
      return bytes.toByteArray();
    }
  }
}
