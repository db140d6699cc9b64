package io.tidemark.simulation;

import io.tidemark.core.Environment;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;

/**
 * A user's own code in the simulated world: it serves partition 0 of an application on several
 * nodes, whose storage fails and which are killed and paused; see {@link Simulation#run(long,
 * java.util.function.Supplier)}.
 *
 * <p>What it keeps in fields outlives a killed node, as a client's memory would; what must not is
 * kept in {@link #serve}. It must take time, threads, waiting and randomness from its node alone,
 * else a seed is not one history.
 */
@FunctionalInterface
public interface Handler {

  /**
   * Serves until its work is done. Throwing a {@link io.tidemark.api.StorageException} or a {@link
   * io.tidemark.api.BusyException} is a crash of the node: it starts again.
   */
  void serve(Node node);

  /**
   * Looks at what is stored after all nodes have come to rest; throws a {@link Violation} when it
   * is not what it has to be. The engine's own invariants are checked besides.
   */
  default void check(IPartitionReader stored) {}

  /** One process of the simulated cluster. */
  interface Node {
    /** Its name in the steps of a failing run. */
    String name();

    /** The storage; every call is a step and may go wrong. */
    IAppStorage storage();

    /** Time, threads and waiting, for {@link io.tidemark.core.Sequencers}. */
    Environment environment();

    /** Decides between {@code options} possibilities, as the seed wants; 0 is the plainest. */
    int choose(int options);

    /** Adds a line to the steps of a failing run. */
    void log(String line);
  }
}
