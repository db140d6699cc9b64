package io.tidemark.storage.cassandra;

import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.BucketSize;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.PartitionInfo;
import java.util.ArrayList;
import java.util.List;

/** Reads a partition for those who do not own it: always the generation in use. */
final class CassandraPartitionReader extends CassandraLogReader implements IPartitionReader {
  /** What no Cassandra partition may pass. */
  static final long LIMIT_BYTES = 20L << 20;

  /** Measured on disk, with its share of the Cassandra partition's own overhead. */
  static final long NUMBER_BYTES = 27;

  private static final int SAMPLE = 100;
  private static final int LOG_BUCKETS_SHOWN = 3;
  private static final int EVENT_OVERHEAD = 35;

  CassandraPartitionReader(CassandraAppStorage app, int partition) {
    super(app, partition);
  }

  @Override
  public PartitionInfo info() {
    return meta().info();
  }

  private long generation() {
    return app.meta().generation(partition);
  }

  /** Rows of a replaced generation are deleted: what was read of it counts for nothing. */
  private void requireUnchanged(long generation) {
    if (generation() != generation) {
      throw new StorageUnavailableException(
          "SeqData of partition " + partition + " was rebuilt while it was read; read again");
    }
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    long generation = generation();
    long[] numbers = app.numbers().read(partition, generation, wsid, seqIds);
    requireUnchanged(generation);
    return numbers;
  }

  @Override
  public long readNextPLogOffset() {
    long generation = generation();
    long offset = app.numbers().readNextOffset(partition, generation);
    requireUnchanged(generation);
    return offset;
  }

  @Override
  public void scanNumbers(NumberVisitor visitor) {
    long generation = generation();
    app.numbers().scan(partition, generation, visitor);
    requireUnchanged(generation);
  }

  @Override
  public void scanWLog(WLogVisitor visitor) {
    app.wlog().scan(partition, visitor);
  }

  @Override
  public void scanRecords(RecordVisitor visitor) {
    app.records().scan(partition, visitor);
  }

  /** SeqData buckets, counted, and the last log buckets, from a sample of their events. */
  @Override
  public List<BucketSize> bucketSizes() {
    List<BucketSize> sizes = new ArrayList<>();
    long generation = generation();
    for (int bucket = 0; bucket < app.buckets().hashes(); bucket++) {
      long rows = app.numbers().count(partition, generation, bucket);
      sizes.add(new BucketSize("SeqData " + bucket, rows, rows * NUMBER_BYTES, LIMIT_BYTES));
    }
    Meta meta = meta();
    long end = log.end(meta);
    long last = end == 0 ? -1 : app.buckets().ofOffset(end);
    for (long bucket = Math.max(0, last - LOG_BUCKETS_SHOWN + 1); bucket <= last; bucket++) {
      long first = app.buckets().first(bucket);
      long rows = Math.min(end, app.buckets().last(bucket)) - first + 1;
      List<EventRow> sample = log.page(first, end, SAMPLE);
      long bytes = 0;
      for (EventRow row : sample) {
        bytes += row.bytes().length + EVENT_OVERHEAD;
      }
      long estimate = sample.isEmpty() ? 0 : bytes * rows / sample.size();
      sizes.add(new BucketSize("PLog " + bucket, rows, estimate, LIMIT_BYTES));
    }
    return sizes;
  }
}
