package io.tidemark.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time and one thread at a time.
 *
 * <p>Each actor has a thread of its own, but only the one that holds the baton runs; it gives the
 * baton back at every {@link #step}. The scheduler then decides who goes on. So a run is a function
 * of its {@link Choices} alone.
 */
final class World {
  private final Choices choices;
  private final List<Actor> actors = new ArrayList<>();
  private final PriorityQueue<Alarm> alarms =
      new PriorityQueue<>(
          Comparator.comparingLong((Alarm alarm) -> alarm.due).thenComparingLong(a -> a.order));
  private final List<String> trace = new ArrayList<>();
  private long now;
  private long order;
  private boolean punctual;
  private long ids;
  private int steps;
  private @Nullable Actor running;
  private @Nullable Runnable everyStep;

  World(Choices choices) {
    this.choices = choices;
  }

  Choices choices() {
    return choices;
  }

  long now() {
    return now;
  }

  int steps() {
    return steps;
  }

  /** An id nobody else gets: of the process that runs, so that it depends on no other. */
  UUID nextId() {
    Actor actor = running;
    return actor == null ? new UUID(0x7464L, ++ids) : actor.process.nextId();
  }

  /** The process that runs has seen something that its further way depends on. */
  void observed(int what) {
    Actor actor = running;
    if (actor != null) {
      actor.process.mix(what);
    }
  }

  /** Time goes by without anything else happening. */
  void jump(long nanos) {
    now += nanos;
  }

  /** From now on time passes only while everybody waits for it: nobody is slow any more. */
  void bePunctual() {
    punctual = true;
  }

  /** Runs after each step, on the scheduler's thread, while no actor runs. */
  void afterEachStep(Runnable check) {
    everyStep = check;
  }

  void log(String line) {
    Actor actor = running;
    trace.add(steps + " " + (actor == null ? "world" : actor.name) + ": " + line);
  }

  List<String> trace() {
    return trace;
  }

  Actor spawn(SimulatedProcess process, String name, Runnable body) {
    int number = process.nextActor();
    Actor actor = new Actor(this, process, process.name() + "/" + name + "#" + number, body);
    actors.add(actor);
    return actor;
  }

  Alarm alarm(long delayNanos, Runnable task) {
    Alarm alarm = new Alarm(now + Math.max(0, delayNanos), order++, task);
    alarms.add(alarm);
    return alarm;
  }

  /** Lets somebody else run; called by the running actor. */
  void step() {
    Actor actor = current();
    actor.process.dieIfKilled();
    actor.yieldBaton();
  }

  /** Lets others run until the signal was raised after the ticket, or the time is up. */
  void await(SimulatedSignal signal, long ticket, long nanos) {
    Actor actor = current();
    actor.process.dieIfKilled();
    actor.waitFor(signal, ticket, now + Math.max(0, nanos));
    actor.yieldBaton();
    actor.waitForNothing();
  }

  private Actor current() {
    Actor actor = running;
    if (actor == null) {
      throw new IllegalStateException("only an actor may wait in the simulated world");
    }
    return actor;
  }

  /** Runs up to {@code most} steps; false when nothing is left to do. */
  boolean run(int most) {
    for (int i = 0; i < most; i++) {
      if (!runOne()) {
        return false;
      }
    }
    return true;
  }

  private boolean runOne() {
    actors.removeIf(Actor::isDone);
    List<Actor> ready = new ArrayList<>();
    Actor last = running;
    if (last != null && last.isReady()) {
      ready.add(last);
    }
    for (Actor actor : actors) {
      if (actor != last && actor.isReady()) {
        ready.add(actor);
      }
    }
    boolean later = !alarms.isEmpty() || actors.stream().anyMatch(Actor::waitsForTime);
    boolean early = later && (!punctual || ready.isEmpty());
    int chosen = choices.choose(ready.size() + (early ? 1 : 0));
    if (chosen < ready.size()) {
      Actor actor = ready.get(chosen);
      running = actor;
      steps++;
      actor.process.mix(actor.name.hashCode() * 31 + Long.hashCode(now));
      actor.runUntilItYields();
    } else if (early) {
      passTime();
    } else {
      return false;
    }
    Runnable check = everyStep;
    if (check != null) {
      check.run();
    }
    return true;
  }

  /** Moves the clock to the next thing that waits for time. */
  private void passTime() {
    Alarm alarm = alarms.peek();
    long wake =
        actors.stream()
            .filter(Actor::waitsForTime)
            .mapToLong(Actor::deadline)
            .min()
            .orElse(Long.MAX_VALUE);
    if (alarm != null && alarm.due <= wake) {
      alarms.remove();
      now = Math.max(now, alarm.due);
      running = null;
      alarm.task.run();
    } else {
      now = Math.max(now, wake);
    }
  }

  void cancel(Alarm alarm) {
    alarms.remove(alarm);
  }

  /** Ends every actor that is left. */
  void end() {
    for (Actor actor : actors) {
      actor.process.kill();
    }
    for (Actor actor : actors) {
      while (!actor.isDone()) {
        running = actor;
        actor.runUntilItYields();
      }
    }
    actors.clear();
    alarms.clear();
  }

  /** A task that waits for its time. */
  static final class Alarm {
    private final long due;
    private final long order;
    private final Runnable task;

    Alarm(long due, long order, Runnable task) {
      this.due = due;
      this.order = order;
      this.task = task;
    }
  }
}
