package io.tidemark.storage.cassandra;

import io.tidemark.spi.Layout;

/** Which Cassandra partition a row lies in. Stored keys depend on it: never changed. */
record Buckets(long events, int hashes) {

  static Buckets of(Layout layout) {
    return new Buckets(layout.logBucketEvents(), layout.seqDataBuckets());
  }

  /** The bucket of a PLog or WLog offset. */
  long ofOffset(long offset) {
    return (offset - 1) / events;
  }

  long first(long bucket) {
    return bucket * events + 1;
  }

  /** The last offset of a bucket; saturates at the end of all numbers. */
  long last(long bucket) {
    return bucket >= Long.MAX_VALUE / events ? Long.MAX_VALUE : (bucket + 1) * events;
  }

  /** The bucket of a record: ids are drawn in a row, so neighbours share one. */
  long ofRecord(long recordId) {
    return Math.floorDiv(recordId, events);
  }

  /**
   * The SeqData bucket of a workspace: its bits mixed, because workspaces are numbered in a row.
   */
  int ofWorkspace(long wsid) {
    long mixed = (wsid ^ (wsid >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return (int) Long.remainderUnsigned(mixed ^ (mixed >>> 31), hashes);
  }
}
