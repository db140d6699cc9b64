package io.tidemark.pipeline;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.RecordRow;
import org.jspecify.annotations.Nullable;

/**
 * Which type a record has. A record keeps its type for life, so what was read once stays true,
 * whoever owns the partition now; that there is no record is never kept.
 */
final class RecordRegistry {
  private record Key(long wsid, long recordId) {}

  private final Cache<Key, RecordType> types;

  RecordRegistry(long entries) {
    // The caller's own thread tidies up: no hidden threads, and the simulation stays in charge.
    types = Caffeine.newBuilder().maximumSize(entries).executor(Runnable::run).build();
  }

  /** The record's type, or null where there is no record. */
  @Nullable RecordType type(ILogReader storage, long wsid, long recordId) {
    Key key = new Key(wsid, recordId);
    RecordType known = types.getIfPresent(key);
    if (known != null) {
      return known;
    }
    RecordRow row = storage.readRecord(wsid, recordId);
    if (row == null) {
      return null;
    }
    RecordType read = decode(row).type();
    types.put(key, read);
    return read;
  }

  static StoredRecord decode(RecordRow row) {
    try {
      return StoredRecord.fromBytes(row.data());
    } catch (StorageCorruptedException e) {
      throw new StorageCorruptedException(
          row.key() + " is not a pipeline's record: " + e.getMessage(), e);
    }
  }
}
