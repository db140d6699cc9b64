package io.tidemark.simulation;

import io.tidemark.api.TrustLevel;

/**
 * How a simulated run of the pipeline looks.
 *
 * @param atomic whether the storage commits a group with all it implies at once
 * @param level the trust level
 * @param workspaces workspaces with commands
 * @param clients clients of each process
 * @param commands commands of each client
 * @param chaosSteps steps with faults; then the faults stop and the run must come to rest
 * @param faultsPerMille how many of a thousand storage calls go wrong
 * @param nemesisPerMille how many of a thousand steps are followed by a crash, a pause, a clock
 *     jump or the delivery of a late write
 * @param foreign whether somebody else's record stands where one will be created
 * @param alone whether one process serves patient clients, who then hear how an unknown outcome was
 *     settled instead of giving up or being sent to another owner
 */
record PipelineScope(
    boolean atomic,
    TrustLevel level,
    int workspaces,
    int clients,
    int commands,
    int chaosSteps,
    int faultsPerMille,
    int nemesisPerMille,
    boolean foreign,
    boolean alone) {

  static PipelineScope of(long seed) {
    boolean foreign = seed % 5 == 4;
    boolean alone = seed % 7 == 3;
    return new PipelineScope(
        (seed & 1) == 0,
        foreign ? TrustLevel.LEVEL_0 : TrustLevel.of((int) (seed / 2 % 3)),
        alone || (seed & 8) == 0 ? 1 : 3,
        3,
        alone ? 12 : 5,
        alone ? 1500 : 500,
        (seed & 4) == 0 ? 60 : 200,
        alone ? 3 : 40,
        foreign,
        alone);
  }
}
