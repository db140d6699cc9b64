package io.tidemark.simulation;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageCapability;
import io.tidemark.storage.memory.StorageCall;
import java.util.EnumSet;
import java.util.Set;

/** A process's connection: claims are steps of the world; atomic or not, as the scope says. */
final class PipelineApp implements IAppStorage {
  private final PipelineWire wire;
  private final PipelineChecker checker;
  private final IAppStorage real;
  private final boolean atomic;

  PipelineApp(PipelineWire wire, PipelineChecker checker, IAppStorage real, boolean atomic) {
    this.wire = wire;
    this.checker = checker;
    this.real = real;
    this.atomic = atomic;
  }

  @Override
  public IPartitionStorage claim(int partition, String owner) {
    return wire.answered(
        StorageCall.CLAIM,
        () -> {
          IPartitionStorage claimed = real.claim(partition, owner);
          return new PipelineHandle(wire, checker, claimed, checker.claimed());
        });
  }

  @Override
  public Set<StorageCapability> capabilities() {
    Set<StorageCapability> all = EnumSet.copyOf(real.capabilities());
    if (!atomic) {
      all.remove(StorageCapability.ATOMIC_COMMIT);
    }
    return all;
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
