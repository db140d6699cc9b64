package io.tidemark.tck;

import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import io.tidemark.storage.memory.MemoryStore;
import io.tidemark.storage.memory.RawRows;

/** Rows of a memory store, behind its back. */
final class MemoryRawAccess implements RawAccess {
  private final MemoryStore store;
  private final RawRows rows;

  MemoryRawAccess(MemoryStore store) {
    this.store = store;
    this.rows = new RawRows(store);
  }

  @Override
  public void putPLog(String application, int partition, long offset, byte[] stored) {
    store.plantPLog(application, partition, offset, stored);
  }

  @Override
  public void removePLog(String application, int partition, long offset) {
    store.removePLog(application, partition, offset);
  }

  @Override
  public void putWLog(
      String application,
      int partition,
      long wsid,
      long wlogOffset,
      long plogOffset,
      byte[] payload) {
    rows.putWLog(application, partition, new WLogRow(wsid, wlogOffset, plogOffset, payload));
  }

  @Override
  public void removeWLog(String application, int partition, long wsid, long wlogOffset) {
    store.removeWLog(application, wsid, wlogOffset);
  }

  @Override
  public void putRecord(
      String application, int partition, long wsid, long recordId, long plogOffset, byte[] data) {
    rows.putRecord(application, partition, new RecordRow(wsid, recordId, plogOffset, false, data));
  }

  @Override
  public void removeRecord(String application, int partition, long wsid, long recordId) {
    store.removeRecord(application, wsid, recordId);
  }

  @Override
  public void putNumber(String application, int partition, long wsid, int seqId, long number) {
    rows.putNumber(application, partition, wsid, seqId, number);
  }

  @Override
  public void putNextOffset(String application, int partition, long nextOffset) {
    rows.putNextOffset(application, partition, nextOffset);
  }
}
