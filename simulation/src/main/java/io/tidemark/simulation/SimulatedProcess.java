package io.tidemark.simulation;

import io.tidemark.core.Environment;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;

/** A process of the simulated cluster: what its engine takes for time, threads and randomness. */
final class SimulatedProcess implements Environment {
  private final World world;
  private final String name;
  private boolean paused;
  private boolean dead;
  private int actors;
  private long ids;
  private long seen;

  SimulatedProcess(World world, String name) {
    this.world = world;
    this.name = name;
  }

  /** Ends an actor of a killed process where it stands. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed() {
      super("the process was killed", null, false, false);
    }
  }

  String name() {
    return name;
  }

  int nextActor() {
    return actors++;
  }

  UUID nextId() {
    return new UUID(name.hashCode(), ++ids);
  }

  /** Remembers a step of its own, or an answer it got. */
  void mix(int what) {
    seen = (seen ^ what) * 0x9E3779B97F4A7C15L;
    seen ^= seen >>> 29;
  }

  /**
   * Stands for all it did and saw, in order. A process is a function of that, so two runs in which
   * it is equal have the process in the same state.
   */
  long seen() {
    return dead ? -1 : seen;
  }

  boolean isPaused() {
    return paused && !dead;
  }

  void pause(boolean value) {
    paused = value;
  }

  boolean isDead() {
    return dead;
  }

  /** All its actors end at their next step; nothing they have not written is kept. */
  void kill() {
    dead = true;
  }

  void dieIfKilled() {
    if (dead) {
      throw new Killed();
    }
  }

  @Override
  public long nanoTime() {
    return world.now();
  }

  @Override
  public void execute(Lane lane, Runnable task) {
    if (!dead) {
      world.spawn(this, lane.name().toLowerCase(Locale.ROOT), task);
    }
  }

  @Override
  public Timer schedule(Duration delay, Lane lane, Runnable task) {
    World.Alarm alarm = world.alarm(delay.toNanos(), () -> execute(lane, task));
    return () -> world.cancel(alarm);
  }

  @Override
  public Signal newSignal() {
    return new SimulatedSignal(world);
  }

  @Override
  public UUID randomId() {
    return world.nextId();
  }

  @Override
  public double random() {
    return 0.5;
  }
}
