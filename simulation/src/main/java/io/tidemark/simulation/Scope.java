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
 */
record Scope(
    int owners,
    int workspaces,
    int commandsPerOwner,
    int chaosSteps,
    int faultsPerMille,
    int nemesisPerMille,
    WriteMode mode,
    boolean full) {

  /** The scope of a seed: small and large ones, inserts and puts, now and then a full store. */
  static Scope of(long seed) {
    WriteMode mode = (seed & 1) == 0 ? WriteMode.INSERT_IF_NOT_EXISTS : WriteMode.PUT;
    int workspaces = (seed & 2) == 0 ? 2 : 6;
    int faults = (seed & 4) == 0 ? 150 : 300;
    return new Scope(2, workspaces, 12, 400, faults, 40, mode, (seed & 15) == 15);
  }
}
