package io.tidemark.storage.memory;

import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;

/**
 * Rows of a {@link MemoryStore} behind its back, no condition checked: what the {@code plant…}
 * methods of the store cannot say. For tests.
 */
public final class RawRows {
  private final MemoryStore store;

  /** The rows of this store. */
  public RawRows(MemoryStore store) {
    this.store = store;
  }

  /** Puts a row into a workspace's log, whatever stands there. */
  public void putWLog(String application, int partition, WLogRow row) {
    WLogRow copy = MemoryLogReader.copy(row);
    store.requests().step(() -> store.stateOf(application, partition).log().wlog().put(copy));
  }

  /** Puts a record, whatever stands there. */
  public void putRecord(String application, int partition, RecordRow row) {
    RecordRow copy = MemoryLogReader.copy(row);
    store.requests().step(() -> store.stateOf(application, partition).log().records().put(copy));
  }

  /** Sets a number of the generation in use; a lower one too. */
  public void putNumber(String application, int partition, long wsid, int seqId, long number) {
    store.requests().step(() -> inUse(application, partition).force(wsid, seqId, number));
  }

  /** Sets the next offset of the generation in use; a lower one too. */
  public void putNextOffset(String application, int partition, long nextOffset) {
    store.requests().step(() -> inUse(application, partition).forceOffset(nextOffset));
  }

  private SeqDataTable inUse(String application, int partition) {
    PartitionState state = store.stateOf(application, partition);
    return state.seqData(state.generation());
  }
}
