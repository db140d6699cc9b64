package io.tidemark.tck;

/**
 * Writes and removes stored rows behind a storage's back: plants foreign rows and damage, so that
 * the kit sees what the storage makes of them. Every write replaces the row and is durable.
 */
public interface RawAccess {

  /** No raw access: rules that need it are skipped, and the certificate says so. */
  RawAccess NONE = new NoRawAccess();

  /** Stores these bytes as the event at {@code offset}, whether they are one or not. */
  void putPLog(String application, int partition, long offset, byte[] stored);

  /** Removes an event. */
  void removePLog(String application, int partition, long offset);

  /** Stores a workspace-log row. */
  void putWLog(
      String application,
      int partition,
      long wsid,
      long wlogOffset,
      long plogOffset,
      byte[] payload);

  /** Removes a workspace-log row. */
  void removeWLog(String application, int partition, long wsid, long wlogOffset);

  /** Stores a record. */
  void putRecord(
      String application, int partition, long wsid, long recordId, long plogOffset, byte[] data);

  /** Removes a record. */
  void removeRecord(String application, int partition, long wsid, long recordId);

  /** Stores a number of the generation in use, lower ones too. */
  void putNumber(String application, int partition, long wsid, int seqId, long number);

  /** Stores the next offset of the generation in use, lower ones too. */
  void putNextOffset(String application, int partition, long nextOffset);
}
