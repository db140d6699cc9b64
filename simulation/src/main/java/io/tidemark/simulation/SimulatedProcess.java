package io.tidemark.simulation;

import io.tidemark.core.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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
  private List<Object> held = List.of();

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
  void mix(long what) {
    seen = Mix.of(seen, what);
  }

  /**
   * Stands for all it did and saw, in order. A process is a function of that, so two runs in which
   * it is equal have the process in the same state.
   */
  long seen() {
    return dead ? -1 : seen;
  }

  /** What its main thread has in hand from now on. */
  void holds(Object... objects) {
    held = List.of(objects);
  }

  /** What a thread can reach, and so all it may read or change in its next step. */
  long within(Actor actor, HeapHash.Look look) {
    HeapHash hash = new HeapHash(look, tasks());
    if (actor.lane.equals("main")) {
      held.forEach(hash::add);
    } else {
      hash.add(actor.body);
    }
    return hash.value();
  }

  /** All it has in memory: what its threads, their stacks and its timers can reach. */
  long lookAtHeap(HeapHash.Look look) {
    HeapHash hash = new HeapHash(look, tasks());
    held.forEach(hash::add);
    List<Actor> actors = new ArrayList<>(world.actorsOf(this));
    actors.sort(Comparator.comparingLong(Actor::view));
    for (Actor actor : actors) {
      hash.add(actor.view());
      hash.add(actor.body);
    }
    for (World.Alarm alarm : world.alarmsOf(this)) {
      hash.add(alarm.due - world.now());
      hash.add(alarm.lane);
      hash.add(alarm.task);
    }
    return hash.value();
  }

  private Set<Object> tasks() {
    Set<Object> tasks = Collections.newSetFromMap(new IdentityHashMap<>());
    world.actorsOf(this).forEach(actor -> tasks.add(actor.body));
    world.alarmsOf(this).forEach(alarm -> tasks.add(alarm.task));
    return tasks;
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
    start(name(lane), task);
  }

  /** A new thread of this process, unless it was killed. */
  void start(String lane, Runnable task) {
    if (!dead) {
      world.spawn(this, lane, task);
    }
  }

  @Override
  public Timer schedule(Duration delay, Lane lane, Runnable task) {
    World.Alarm alarm = world.alarm(this, delay.toNanos(), name(lane), task);
    return () -> world.cancel(alarm);
  }

  private static String name(Lane lane) {
    return lane.name().toLowerCase(Locale.ROOT);
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
