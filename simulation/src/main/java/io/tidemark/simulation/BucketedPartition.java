package io.tidemark.simulation;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.ReplayBatcher;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.SequenceExtractor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A handle to a {@link BucketedLog}: the protocol that makes conditions on single buckets fence a
 * whole log. Numbers are kept as everywhere.
 *
 * <p>A claim moves the meta row's epoch, then that of the open bucket, and reads it; while it is
 * full it goes on to the next, because the old owner may be about to open that one. An owner opens
 * a bucket only if nobody has.
 *
 * <p>At trust level 2 a row is put without a condition, ordered by its epoch. The claim notes where
 * the log ends: what an older epoch writes behind it later is not in the log. That fences by order
 * alone, for one owner at a time.
 */
final class BucketedPartition extends FaultyPartition {
  private final Network network;
  private final History history;
  private final BucketedLog log;
  private final World world;
  private Epoch epoch;

  /** Where a settle tries to move to, while it is not known whether it has. */
  private @Nullable Epoch undecided;

  BucketedPartition(
      Network network, History history, IPartitionStorage numbers, BucketedLog log, World world) {
    super(network, history, numbers);
    this.network = network;
    this.history = history;
    this.log = log;
    this.world = world;
    BucketedLog.Meta before = network.read("meta", log::meta);
    this.epoch = before.epoch().next(world.nextId());
    take(before.epoch(), epoch);
    claimed((int) epoch.number());
  }

  /** Moves the partition, and every bucket that may take events, to a new epoch. */
  private void take(Epoch from, Epoch to) {
    BucketedLog.Meta meta = network.read("meta", log::meta);
    long end = log.isConditional() ? 0 : network.read("tail", () -> (long) log.events().size());
    BucketedLog.Meta moved = new BucketedLog.Meta(to, meta.openBucket(), end);
    boolean known = meta.epoch().equals(to);
    if (!known && !network.unreliable("move meta", () -> log.moveMeta(from, moved))) {
      throw new FencedException("another owner has claimed the partition");
    }
    int bucket = meta.openBucket();
    while (log.isConditional() && !takeBucket(bucket, to)) {
      bucket++;
    }
  }

  /** Answers whether the bucket is not full, so that nobody can be ahead of it. */
  private boolean takeBucket(int bucket, Epoch to) {
    Epoch found = network.read("bucket", () -> log.bucket(bucket)).epoch();
    if (found.number() > to.number()
        || !network.unreliable("move bucket", () -> log.moveBucket(bucket, found, to))) {
      throw new FencedException("another owner has taken bucket " + bucket);
    }
    long last = network.read("bucket", () -> log.bucket(bucket)).last();
    return last < BucketedLog.firstOf(bucket + 1) - 1;
  }

  @Override
  public void append(List<PLogEvent> group, WriteMode mode) {
    group.forEach(event -> history.attempted(event, claim()));
    fencing(() -> appendNow(group));
    group.forEach(history::acknowledged);
  }

  private void appendNow(List<PLogEvent> group) {
    Epoch mine = epoch;
    int bucket = BucketedLog.bucketOf(group.get(0).offset());
    if (!log.isConditional()) {
      network.unreliable(
          "put",
          () -> {
            log.put(mine, group);
            return true;
          });
      return;
    }
    if (group.get(0).offset() == BucketedLog.firstOf(bucket)) {
      open(bucket, mine);
    }
    if (!network.unreliable("insert", () -> log.insert(mine, group))) {
      BucketedLog.Bucket found = network.read("bucket", () -> log.bucket(bucket));
      if (!found.epoch().equals(mine)) {
        throw new FencedException("bucket " + bucket + " has another epoch");
      }
      throw new SequenceViolationException("PLog offset " + group.get(0).offset(), "another event");
    }
  }

  private void open(int bucket, Epoch mine) {
    if (!network.unreliable("open bucket", () -> log.openBucket(mine, bucket))) {
      throw new FencedException("another owner has claimed the partition");
    }
    Epoch found = network.read("bucket", () -> log.bucket(bucket)).epoch();
    if (found.equals(mine)) {
      return;
    }
    if (!network.unreliable("epoch of bucket", () -> log.moveBucket(bucket, Epoch.NONE, mine))) {
      throw new FencedException("another owner has taken bucket " + bucket);
    }
  }

  @Override
  public void settle() {
    Epoch from = epoch;
    Epoch to = undecided != null ? undecided : from.next(world.nextId());
    undecided = to;
    fencing(() -> take(from, to));
    epoch = to;
    undecided = null;
    history.settled(claim());
  }

  @Override
  public void actualizeSequencesFromPLog(
      long from, Cancellation cancellation, ReplayBatcher batcher) {
    List<PLogEvent> events = network.read("tail", log::events);
    SeqValues values = new SeqValues();
    for (PLogEvent event : events.subList((int) Math.min(from - 1, events.size()), events.size())) {
      network.step();
      cancellation.check();
      values.clear();
      SequenceExtractor.HEADER.extract(event, values);
      batcher.accept(values, event.offset());
    }
  }

  @Override
  public long logEnd() {
    return network.read("tail", () -> (long) log.events().size());
  }

  @Override
  public void readPLog(long from, PLogVisitor visitor) {
    List<PLogEvent> events = network.read("log", log::events);
    for (int i = (int) from - 1; i < events.size() && visitor.visit(events.get(i)); i++) {}
  }

  @Override
  public GroupLimit groupLimit(long firstOffset) {
    int bucket = BucketedLog.bucketOf(firstOffset);
    return new GroupLimit((int) (BucketedLog.firstOf(bucket + 1) - firstOffset), 1 << 20);
  }

  @Override
  public Epoch epoch() {
    return epoch;
  }
}
