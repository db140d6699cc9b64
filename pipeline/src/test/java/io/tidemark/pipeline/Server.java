package io.tidemark.pipeline;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A server that serves the shop's only partition, one step at a time. */
final class Server {
  /** Held here, because a logger nobody holds forgets its level. */
  private static final Logger ENGINE = Logger.getLogger("io.tidemark.core");

  static {
    ENGINE.setLevel(Level.OFF); // hundreds of faults on purpose
  }

  final Steps steps = new Steps();
  final IAppStorage storage;
  final AppPartitions partitions;

  private Server(IAppStorage storage, UnaryOperator<PipelineConfig.Builder> config) {
    this.storage = storage;
    PipelineConfig.Builder builder = PipelineConfig.builder(Shop.SEQUENCES).environment(steps);
    this.partitions = new AppPartitions(storage, config.apply(builder).build());
  }

  /** Begins to serve; the log's tail is not read yet. */
  static Server start(IAppStorage storage, UnaryOperator<PipelineConfig.Builder> config) {
    Server server = new Server(storage, config);
    server.partitions.deploy(0);
    return server;
  }

  static Server start(IAppStorage storage, TrustLevel level) {
    return start(storage, config -> config.trustLevel(level));
  }

  static Server start(IAppStorage storage) {
    return start(storage, config -> config);
  }

  static IAppStorage open(MemoryStore store, boolean atomic) {
    IAppStorage storage = store.open("shop", Layout.of(1));
    return atomic ? storage : new StepwiseStorage(storage);
  }

  CommandProcessor processor() {
    return partitions.processor(0);
  }

  CommandReply order(long wsid, String what) {
    return processor().execute(Shop.order(wsid, what));
  }
}
