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
    Log log) {

  /** How the log is kept. */
  enum Log {
    /** By the memory store. */
    PLAIN,
    /** In buckets with conditions, as Cassandra does at trust levels 0 and 1. */
    BUCKETED,
    /** Without conditions, ordered by epoch, as Cassandra does at level 2: for one owner. */
    ORDERED
  }

  /** The scope of a seed: small and large ones, inserts and puts, now and then a full store. */
  static Scope of(long seed) {
    WriteMode mode = (seed & 1) == 0 ? WriteMode.INSERT_IF_NOT_EXISTS : WriteMode.PUT;
    boolean large = (seed & 18) == 18;
    int workspaces = large ? 16 : (seed & 2) == 0 ? 2 : 6;
    int commands = large ? 24 : 12;
    int steps = large ? 800 : 400;
    int faults = (seed & 4) == 0 ? 150 : 300;
    Log log =
        switch ((int) (seed & 7)) {
          case 5 -> Log.ORDERED;
          case 6 -> Log.BUCKETED;
          default -> Log.PLAIN;
        };
    int owners = log == Log.ORDERED ? 1 : 2;
    return new Scope(owners, workspaces, commands, steps, faults, 40, mode, (seed & 15) == 15, log);
  }

  /** The scope of a seed in which a user's handler runs. */
  static Scope handled(long seed) {
    int faults = (seed & 1) == 0 ? 100 : 250;
    return new Scope(2, 1, 1, 400, faults, 30, WriteMode.INSERT_IF_NOT_EXISTS, false, Log.PLAIN);
  }
}
