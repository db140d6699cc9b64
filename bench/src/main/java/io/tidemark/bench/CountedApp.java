package io.tidemark.bench;

import static java.util.Objects.requireNonNull;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.StorageCapability;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts the writes of numbers an application makes, for all its partitions together. */
final class CountedApp implements IAppStorage {
  private final IAppStorage app;
  private final Map<Integer, IPartitionStorage> claimed = new ConcurrentHashMap<>();
  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong batches = new AtomicLong();

  CountedApp(IAppStorage app) {
    this.app = app;
  }

  /** Writes of one partition or of many at once. */
  long writes() {
    return writes.get();
  }

  /** Partitions written, each time they were. */
  long batches() {
    return batches.get();
  }

  @Override
  public void writeSeqData(List<SeqDataBatch> group) {
    app.writeSeqData(
        group.stream()
            .map(
                batch ->
                    new SeqDataBatch(
                        requireNonNull(claimed.get(batch.partition().partition())),
                        batch.values(),
                        batch.nextOffset()))
            .toList());
    count(group.size());
  }

  private void count(int partitions) {
    writes.incrementAndGet();
    batches.addAndGet(partitions);
  }

  /** Answers a handle whose own writes count too; claim a partition once. */
  @Override
  public IPartitionStorage claim(int partition, String owner) {
    IPartitionStorage handle = app.claim(partition, owner);
    claimed.put(partition, handle);
    return (IPartitionStorage)
        Proxy.newProxyInstance(
            IPartitionStorage.class.getClassLoader(),
            new Class<?>[] {IPartitionStorage.class},
            (proxy, method, arguments) -> call(handle, method, arguments));
  }

  private @Nullable Object call(
      IPartitionStorage handle, Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    try {
      Object answer = method.invoke(handle, arguments);
      if (method.getName().equals("writeValuesAndOffset")) {
        count(1);
      }
      return answer;
    } catch (InvocationTargetException e) {
      throw requireNonNull(e.getCause());
    }
  }

  @Override
  public String application() {
    return app.application();
  }

  @Override
  public Layout layout() {
    return app.layout();
  }

  @Override
  public Set<StorageCapability> capabilities() {
    return app.capabilities();
  }

  @Override
  public IPartitionReader reader(int partition) {
    return app.reader(partition);
  }

  @Override
  public ISequenceStorage<?> sequences(String owner) {
    return app.sequences(owner);
  }

  @Override
  public void close() {
    app.close();
  }
}
