package io.tidemark.simulation;

import io.tidemark.core.Environment;

/** A signal in virtual time. */
final class SimulatedSignal implements Environment.Signal {
  private final World world;
  private long count;

  SimulatedSignal(World world) {
    this.world = world;
  }

  @Override
  public long ticket() {
    Actor actor = world.running();
    if (actor != null) {
      actor.tookTicket(this);
    }
    return count;
  }

  /** How often it was raised. */
  long count() {
    return count;
  }

  @Override
  public void raise() {
    count++;
  }

  @Override
  public void await(long ticket, long nanos) {
    world.await(this, ticket, nanos);
  }
}
