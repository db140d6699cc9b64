package io.tidemark.storage.cassandra;

import static java.util.Objects.requireNonNull;

import com.datastax.oss.driver.api.core.CqlSession;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.StorageCapability;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** One process's connection to an application. */
final class CassandraAppStorage implements IAppStorage {
  private static final int GROUP_EVENTS = 500;

  private final Cql cql;
  private final boolean ownsSession;
  private final String application;
  private final Layout layout;
  private final WriteSizes sizes;
  private final TrustLevel level;
  private final Buckets buckets;
  private final MetaTable meta;
  private final NumberTable numbers;
  private final WLogTable wlog;
  private final RecordTable records;
  private final CassandraSequences sequences;
  private final InsertLog.Statements inserts;
  private final PutLog.Statements puts;

  CassandraAppStorage(
      Cql cql,
      String keyspace,
      boolean ownsSession,
      String application,
      Layout layout,
      WriteSizes sizes) {
    this.cql = cql;
    this.ownsSession = ownsSession;
    this.application = application;
    this.layout = layout;
    this.sizes = sizes;
    this.level = requireNonNull(layout.trustLevel(), "trustLevel");
    this.buckets = Buckets.of(layout);
    this.meta = new MetaTable(cql, keyspace, application);
    this.numbers = new NumberTable(cql, keyspace, application, buckets);
    RowBuckets rowBuckets = new RowBuckets(cql, keyspace, application, buckets);
    this.wlog = new WLogTable(cql, keyspace, application, buckets, rowBuckets, sizes, isPut());
    this.records = new RecordTable(cql, keyspace, application, buckets, rowBuckets, sizes);
    this.sequences = new CassandraSequences(cql, keyspace, application);
    this.inserts = new InsertLog.Statements(cql, keyspace);
    this.puts = new PutLog.Statements(cql, keyspace);
  }

  @Override
  public String application() {
    return application;
  }

  @Override
  public Layout layout() {
    return layout;
  }

  /**
   * No ATOMIC_COMMIT: a conditional batch cannot span Cassandra partitions. No FENCING_AT_LEVEL_2:
   * puts are ordered, not refused. Sequences are for a single process, and a put of theirs is
   * durable at once.
   */
  @Override
  public Set<StorageCapability> capabilities() {
    return EnumSet.of(StorageCapability.DURABLE, StorageCapability.MULTI_PROCESS);
  }

  @Override
  public IPartitionStorage claim(int partition, String owner) {
    requireNonNull(owner, "owner");
    return CassandraPartition.claim(this, layout.requirePartition(partition), owner);
  }

  @Override
  public IPartitionReader reader(int partition) {
    return new CassandraPartitionReader(this, layout.requirePartition(partition));
  }

  /** All values of all partitions at once, then all offsets. */
  @Override
  public void writeSeqData(List<SeqDataBatch> batches) {
    List<NumberTable.Batch> parts = new ArrayList<>(batches.size());
    for (SeqDataBatch batch : batches) {
      if (!(batch.partition() instanceof CassandraPartition handle) || handle.app != this) {
        IAppStorage.super.writeSeqData(batches);
        return;
      }
      parts.add(
          new NumberTable.Batch(
              handle.partition, handle.generation(), batch.values(), batch.nextOffset()));
    }
    numbers.write(parts);
  }

  @Override
  public CassandraSequences sequences(String owner) {
    requireNonNull(owner, "owner");
    return sequences;
  }

  boolean isPut() {
    return level == TrustLevel.LEVEL_2;
  }

  Buckets buckets() {
    return buckets;
  }

  MetaTable meta() {
    return meta;
  }

  NumberTable numbers() {
    return numbers;
  }

  WLogTable wlog() {
    return wlog;
  }

  RecordTable records() {
    return records;
  }

  PartitionLog log(int partition) {
    return isPut()
        ? new PutLog(cql, meta, puts, application, partition, buckets)
        : new InsertLog(cql, meta, inserts, application, partition, buckets);
  }

  WriteSizes sizes() {
    return sizes;
  }

  /** A group lies in one bucket. */
  GroupLimit groupLimit(long firstOffset) {
    long room = buckets.last(buckets.ofOffset(firstOffset)) - firstOffset + 1;
    return new GroupLimit((int) Math.min(room, GROUP_EVENTS), sizes.group());
  }

  /** Conditional and plain writes must never meet on a row: the level is the application's. */
  void requireEvents(WriteMode mode) {
    require(mode, level.events(), "events");
  }

  void requireRecords(WriteMode mode) {
    require(mode, level.newRecords(), "new records");
  }

  private void require(WriteMode asked, WriteMode stored, String what) {
    if (asked != stored) {
      throw new IllegalArgumentException(
          "application '%s' is stored at %s, where %s are written with %s, was %s"
              .formatted(application, level, what, stored, asked));
    }
  }

  @Override
  public void close() {
    cql.close();
    if (ownsSession) {
      CqlSession session = cql.session();
      session.close();
    }
  }

  @Override
  public String toString() {
    return "application '" + application + "'";
  }
}
