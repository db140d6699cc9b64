package io.tidemark.spi;

import io.tidemark.api.TrustLevel;
import org.jspecify.annotations.Nullable;

/**
 * What an application's stored keys depend on; stored at first open and fixed from then on.
 *
 * @param partitions how many partitions there are
 * @param logBucketEvents events per log bucket; 0 = the storage's own choice, or not bucketed
 * @param seqDataBuckets SeqData buckets per partition; 0 = the storage's own choice, or not
 *     bucketed
 * @param trustLevel the level the stored rows are bound to; null where rows of all levels may mix
 */
public record Layout(
    int partitions, int logBucketEvents, int seqDataBuckets, @Nullable TrustLevel trustLevel) {
  /** Refuses what cannot be. */
  public Layout {
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions must be >= 1, was " + partitions);
    }
    if (logBucketEvents < 0 || seqDataBuckets < 0) {
      throw new IllegalArgumentException(
          "bucket sizes must be >= 0, was " + logBucketEvents + ", " + seqDataBuckets);
    }
  }

  /** A layout whose bucket sizes are the storage's choice. */
  public static Layout of(int partitions) {
    return new Layout(partitions, 0, 0, null);
  }

  /** The partition a workspace belongs to. */
  public int partitionOf(long wsid) {
    return (int) Long.remainderUnsigned(wsid, partitions);
  }

  /** Refuses a partition that does not exist. */
  public int requirePartition(int partition) {
    if (partition < 0 || partition >= partitions) {
      throw new IllegalArgumentException(
          "partition must be 0.." + (partitions - 1) + ", was " + partition);
    }
    return partition;
  }

  /** Refuses to open an application with another layout than the stored one, naming both. [L-14] */
  public Layout requireSame(Layout asked) {
    if (!equals(asked)) {
      throw new IllegalArgumentException(
          "the application is stored with "
              + this
              + ", asked for "
              + asked
              + "; open without a layout to adopt the stored one");
    }
    return this;
  }
}
