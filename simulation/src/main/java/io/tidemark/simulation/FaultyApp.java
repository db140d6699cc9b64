package io.tidemark.simulation;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.StorageCapability;
import io.tidemark.storage.memory.StorageCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** An application's storage whose claims are steps of the world and may go wrong. */
final class FaultyApp implements IAppStorage {
  private final Network network;
  private final IntFunction<History> histories;
  private final IAppStorage real;
  private final World world;
  private final @Nullable BucketedLog bucketed;

  /** One of a single partition. */
  FaultyApp(Network network, History history, IAppStorage real, World world) {
    this(network, partition -> history, real, world, null);
  }

  FaultyApp(
      Network network,
      IntFunction<History> histories,
      IAppStorage real,
      World world,
      @Nullable BucketedLog bucketed) {
    this.network = network;
    this.histories = histories;
    this.real = real;
    this.world = world;
    this.bucketed = bucketed;
  }

  @Override
  public IPartitionStorage claim(int partition, String owner) {
    History history = histories.apply(partition);
    BucketedLog log = bucketed;
    if (log != null) {
      history.claimPending(); // it takes effect bit by bit
      return new BucketedPartition(network, history, real.claim(partition, owner), log, world);
    }
    return network.answered(
        Network.Late.of(StorageCall.CLAIM), () -> claimNow(history, partition, owner));
  }

  private IPartitionStorage claimNow(History history, int partition, String owner) {
    history.claimPending(); // unless it returns
    IPartitionStorage claimed = real.claim(partition, owner);
    history.claimsDecided(); // an earlier claim is conditional on an epoch that is no more
    FaultyPartition handle = new FaultyPartition(network, history, claimed);
    handle.claimed(history.lastClaim() + 1);
    return handle;
  }

  /** One call for all partitions: it fails as a whole, or some of them are written. */
  @Override
  public void writeSeqData(List<SeqDataBatch> batches) {
    List<SeqDataBatch> own = new ArrayList<>();
    for (SeqDataBatch batch : batches) {
      FaultyPartition handle = (FaultyPartition) batch.partition();
      network.refuseIfBad(handle.partition());
      own.add(new SeqDataBatch(handle.real(), batch.values(), batch.nextOffset()));
    }
    if (network.isTorn()) {
      own.removeIf(batch -> world.choices().chance(1, 2));
      network.write(StorageCall.WRITE_SEQ_DATA, () -> real.writeSeqData(own));
      throw network.torn();
    }
    network.write(StorageCall.WRITE_SEQ_DATA, () -> real.writeSeqData(own));
  }

  @Override
  public String application() {
    return real.application();
  }

  @Override
  public Layout layout() {
    return real.layout();
  }

  @Override
  public Set<StorageCapability> capabilities() {
    return real.capabilities();
  }

  @Override
  public IPartitionReader reader(int partition) {
    return real.reader(partition);
  }

  @Override
  public ISequenceStorage<?> sequences(String owner) {
    return real.sequences(owner);
  }

  @Override
  public void close() {
    real.close();
  }
}
