package io.tidemark.simulation;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageCapability;
import io.tidemark.storage.memory.StorageCall;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An application's storage whose claims are steps of the world and may go wrong. */
final class FaultyApp implements IAppStorage {
  private final Network network;
  private final History history;
  private final IAppStorage real;
  private final World world;
  private final @Nullable BucketedLog bucketed;

  FaultyApp(
      Network network,
      History history,
      IAppStorage real,
      World world,
      @Nullable BucketedLog bucketed) {
    this.network = network;
    this.history = history;
    this.real = real;
    this.world = world;
    this.bucketed = bucketed;
  }

  @Override
  public IPartitionStorage claim(int partition, String owner) {
    BucketedLog log = bucketed;
    if (log != null) {
      history.claimPending(); // it takes effect bit by bit
      return new BucketedPartition(network, history, real.claim(partition, owner), log, world);
    }
    return network.answered(StorageCall.CLAIM, () -> claimNow(partition, owner));
  }

  private IPartitionStorage claimNow(int partition, String owner) {
    history.claimPending(); // unless it returns
    IPartitionStorage claimed = real.claim(partition, owner);
    history.claimsDecided(); // an earlier claim is conditional on an epoch that is no more
    FaultyPartition handle = new FaultyPartition(network, history, claimed);
    handle.claimed(history.lastClaim() + 1);
    return handle;
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
