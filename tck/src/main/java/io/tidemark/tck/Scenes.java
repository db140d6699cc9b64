package io.tidemark.tck;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The partitions of one run of the kit. Opening a storage may cost a connection, so an application
 * with many partitions is opened once and every try takes the next partition of it.
 */
final class Scenes {
  private static final int PARTITIONS = 500;
  private static final Map<Class<?>, Scenes> RUNS = new ConcurrentHashMap<>();

  private final String prefix = "tck" + UUID.randomUUID().toString().substring(0, 8);
  private final AtomicInteger names = new AtomicInteger();
  private final Map<TrustLevel, Supply> supplies = new EnumMap<>(TrustLevel.class);
  private final List<IAppStorage> opened = new ArrayList<>();

  private Scenes() {}

  private static final class Supply {
    private final IAppStorage app;
    private int taken;

    Supply(IAppStorage app) {
      this.app = app;
    }
  }

  static Scenes of(StorageHarness harness) {
    return RUNS.computeIfAbsent(harness.getClass(), unused -> new Scenes());
  }

  /** Closes what was opened for this class of harness. */
  static void end(Class<?> harness) {
    Scenes scenes = RUNS.remove(harness);
    if (scenes != null) {
      scenes.close();
    }
  }

  /** A name no application has had yet. */
  String newName() {
    return prefix + "n" + names.incrementAndGet();
  }

  synchronized Scene fresh(StorageHarness harness, TrustLevel level) {
    Supply supply = supplies.get(level);
    if (supply == null || supply.taken == PARTITIONS) {
      supply = new Supply(harness.open(newName(), harness.layout(PARTITIONS, level)));
      opened.add(supply.app);
      supplies.put(level, supply);
    }
    return new Scene(harness, supply.app, supply.taken++, level);
  }

  /** Fresh partitions of one application. */
  synchronized List<Scene> fresh(StorageHarness harness, TrustLevel level, int count) {
    Supply supply = supplies.get(level);
    if (supply != null && supply.taken + count > PARTITIONS) {
      supplies.remove(level);
    }
    List<Scene> scenes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      scenes.add(fresh(harness, level));
    }
    return scenes;
  }

  private synchronized void close() {
    opened.forEach(IAppStorage::close);
    opened.clear();
  }
}
