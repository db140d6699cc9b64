package io.tidemark.simulation;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageCapability;
import io.tidemark.storage.memory.StorageCall;
import java.util.Set;

/** An application's storage whose claims are steps of the world and may go wrong. */
final class FaultyApp implements IAppStorage {
  private final Network network;
  private final History history;
  private final IAppStorage real;

  FaultyApp(Network network, History history, IAppStorage real) {
    this.network = network;
    this.history = history;
    this.real = real;
  }

  @Override
  public IPartitionStorage claim(int partition, String owner) {
    return network.answered(
        StorageCall.CLAIM,
        () -> {
          IPartitionStorage claimed = real.claim(partition, owner);
          int order = history.claimed();
          return new FaultyPartition(network, history, claimed, order);
        });
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
