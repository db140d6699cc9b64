package io.tidemark.storage.memory;

/** The kinds of calls whose outcome can be scripted. */
public enum StorageCall {
  /** A claim of a partition. */
  CLAIM("claim", false),
  /** A handle's settle. */
  SETTLE("settle", false),
  /** An append to the partition log. */
  APPEND("append", false),
  /** A commit of events with what they imply. */
  COMMIT("commit", false),
  /** Workspace-log rows. */
  APPEND_WLOG("appendWLog", false),
  /** Records. */
  PUT_RECORDS("putRecords", false),
  /** Numbers and offset, of one partition, of many, or of a generation under construction. */
  WRITE_SEQ_DATA("writeSeqData", false),
  /** The mark on a corrupted event. */
  MARK_CORRUPTED("markCorrupted", false),
  /** Storing or clearing a partition's failure. */
  STORE_FAILURE("storeFailure", false),
  /** Beginning a SeqData generation. */
  REBUILD("rebuild", false),
  /** Switching to a SeqData generation. */
  ACTIVATE("activate", false),
  /** A claim of the SQL-like sequences. */
  CLAIM_SEQUENCES("claim of sequences", false),
  /** The end of a transaction. */
  COMMIT_TRANSACTION("commit of a transaction", false),
  /** Reading numbers or the stored offset. */
  READ_SEQ_DATA("read of SeqData", true),
  /** Reading a log or records; a scan asks once per page. */
  READ_LOG("read of logs and records", true),
  /** Reading a partition's meta row. */
  READ_META("read of the meta row", true),
  /** Reading the catalog or a value of the SQL-like sequences. */
  READ_SEQUENCES("read of sequences", true);

  private final String words;
  private final boolean read;

  StorageCall(String words, boolean read) {
    this.words = words;
    this.read = read;
  }

  boolean isRead() {
    return read;
  }

  /** The call, as a message names it. */
  @Override
  public String toString() {
    return words;
  }
}
