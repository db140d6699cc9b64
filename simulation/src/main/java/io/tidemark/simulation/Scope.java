package io.tidemark.simulation;

import io.tidemark.api.WriteMode;

/**
 * How large a simulated run is.
 *
 * @param owners processes that compete for the partition
 * @param workspaces workspaces they serve
 * @param commandsPerOwner commands each sends
 * @param chaosSteps steps with faults; then the faults stop and the run must come to rest
 * @param faultsPerMille how many of a thousand storage calls go wrong
 * @param nemesisPerMille how many of a thousand steps are followed by a crash, pause, takeover or
 *     the delivery of a late write
 * @param mode how events are written
 * @param full whether the store takes no numbers while there are faults
 * @param log how the log is kept
 * @param applications how many share the store, each process serving all of them
 * @param partitions how many each application has
 * @param bad whether partition 0 of each application takes no numbers, until the others have come
 *     to rest
 */
record Scope(
    int owners,
    int workspaces,
    int commandsPerOwner,
    int chaosSteps,
    int faultsPerMille,
    int nemesisPerMille,
    WriteMode mode,
    boolean full,
    Log log,
    int applications,
    int partitions,
    boolean bad) {

  /** How the log is kept. */
  enum Log {
    /** By the memory store. */
    PLAIN,
    /** In buckets with conditions, as Cassandra does at trust levels 0 and 1. */
    BUCKETED,
    /** Without conditions, ordered by epoch, as Cassandra does at level 2: for one owner. */
    ORDERED
  }

  /**
   * The scope of a seed: small and large ones, inserts and puts, now and then a full store, and in
   * an eighth of the seeds several partitions or applications in each process.
   */
  static Scope of(long seed) {
    WriteMode mode = (seed & 1) == 0 ? WriteMode.INSERT_IF_NOT_EXISTS : WriteMode.PUT;
    if ((seed & 7) == 3) {
      int applications = (seed & 8) == 0 ? 1 : 2;
      int partitions = applications == 1 ? 3 : 2;
      boolean bad = (seed & 16) == 0;
      return new Scope(
          2, 2, 8, 800, 100, 40, mode, false, Log.PLAIN, applications, partitions, bad);
    }
    boolean full = (seed & 15) == 15;
    boolean large = full || (seed & 18) == 18; // a backlog is large only with many workspaces
    int workspaces = large ? 16 : (seed & 2) == 0 ? 2 : 6;
    int commands = large ? 24 : 12;
    int steps = large ? 800 : 400;
    Log log =
        switch ((int) (seed & 7)) {
          case 5 -> Log.ORDERED;
          case 6 -> Log.BUCKETED;
          default -> Log.PLAIN;
        };
    int faults = log == Log.BUCKETED ? 50 : (seed & 4) == 0 ? 150 : 300;
    int owners = log == Log.ORDERED ? 1 : 2;
    return new Scope(owners, workspaces, commands, steps, faults, 40, mode, full, log, 1, 1, false);
  }

  /**
   * How many numbers an event may draw: many fill the backlog of a full store; few leave events
   * that have nothing but an explicit id, after which a crash must not let the sequence fall back.
   */
  int mostDraws() {
    if (full) {
      return 6;
    }
    return workspaces == 2 && partitions == 1 ? 2 : 3;
  }

  /** The scope of a seed in which a user's handler runs. */
  static Scope handled(long seed) {
    int faults = (seed & 1) == 0 ? 100 : 250;
    return new Scope(
        2, 1, 1, 400, faults, 30, WriteMode.INSERT_IF_NOT_EXISTS, false, Log.PLAIN, 1, 1, false);
  }

  /** The scope of a walk, whose owners decide nothing by chance. */
  static Scope walked(int owners) {
    return new Scope(
        owners, 1, 1, 0, 0, 0, WriteMode.INSERT_IF_NOT_EXISTS, false, Log.PLAIN, 1, 1, false);
  }
}
