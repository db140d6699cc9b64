package io.tidemark.spi;

import java.util.List;

/**
 * Reads one partition without owning it: takes no epoch, disturbs no owner. [F-7]
 *
 * <p>Scans visit every row the storage holds for the partition, in an order of its own.
 */
public interface IPartitionReader extends ILogReader {

  /** The meta row. */
  PartitionInfo info();

  /** The last issued numbers, as {@link ISeqStorage#readNumbers}. */
  long[] readNumbers(long wsid, int[] seqIds);

  /** The stored next offset, as {@link ISeqStorage#readNextPLogOffset}. */
  long readNextPLogOffset();

  /** Visits every stored number of the generation in use. */
  void scanNumbers(NumberVisitor visitor);

  /** Visits every workspace-log row. */
  void scanWLog(WLogVisitor visitor);

  /** Visits every record. */
  void scanRecords(RecordVisitor visitor);

  /** How full its buckets are; empty where the storage has none. */
  default List<BucketSize> bucketSizes() {
    return List.of();
  }

  /** Visits stored numbers. */
  @FunctionalInterface
  interface NumberVisitor {
    /** Takes one number; false ends the scan. */
    boolean visit(long wsid, int seqId, long number);
  }
}
