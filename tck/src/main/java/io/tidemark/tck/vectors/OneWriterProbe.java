package io.tidemark.tck.vectors;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.ISequenceStorage;

/**
 * Finds out whether a second transaction is turned away while another one that has written is open.
 * A storage may be built so; then a vector that holds two open cannot be run on it.
 */
final class OneWriterProbe {
  private OneWriterProbe() {}

  static boolean isOneWriter(IAppStorage application) {
    return isOneWriter(application.sequences("sequence vectors"));
  }

  private static <T> boolean isOneWriter(ISequenceStorage<T> storage) {
    long[] id = new long[1];
    SequenceDefinition definition = SequenceDefinition.named("vector.probe").build();
    storage.transact(handle -> id[0] = storage.create(handle, definition));
    OpenTransaction<T> first = new OpenTransaction<>(storage);
    OpenTransaction<T> second = new OpenTransaction<>(storage);
    try {
      put(storage, first, id[0], 1);
      put(storage, second, id[0], 2);
      return false;
    } catch (StorageUnavailableException | OpenTransaction.NoAnswerException turnedAway) {
      return true;
    } finally {
      first.abandon();
      second.abandon();
      storage.transact(handle -> storage.drop(handle, id[0]));
    }
  }

  private static <T> void put(
      ISequenceStorage<T> storage, OpenTransaction<T> transaction, long id, long version) {
    transaction.call(
        handle -> {
          storage.put(handle, id, new VersionedValue(version, version, true));
          return Answer.OK;
        });
  }
}
