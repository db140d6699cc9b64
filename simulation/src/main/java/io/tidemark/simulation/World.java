package io.tidemark.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time and one thread at a time.
 *
 * <p>Each actor has a thread of its own, but only the one that holds the baton runs; it gives the
 * baton back at every {@link #step}. The scheduler then decides who goes on. So a run is a function
 * of its {@link Choices} alone.
 */
final class World {
  private static final Comparator<Alarm> ORDER =
      Comparator.comparingLong((Alarm alarm) -> alarm.due).thenComparingLong(alarm -> alarm.order);

  private final Choices choices;
  private final List<Actor> actors = new ArrayList<>();
  private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(ORDER);
  private final List<Actor> buried = new ArrayList<>();
  private final Semaphore ended = new Semaphore(0);
  private @Nullable Supplier<@Nullable Actor> driver;
  private @Nullable Throwable failure;
  private final List<String> trace = new ArrayList<>();
  private long now;
  private long order;
  private boolean punctual;
  private boolean quiet;
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

  /** The actor that runs has seen something that its further way depends on. */
  void observed(long what) {
    Actor actor = running;
    if (actor != null) {
      actor.process.mix(what);
      actor.learn(what);
    }
  }

  /** Who runs now, or ran last. */
  @Nullable Actor running() {
    return running;
  }

  /** Keeps no trace from now on: a walk repeats the run that broke something with one. */
  void beQuiet() {
    quiet = true;
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
    if (!quiet) {
      Actor actor = running;
      trace.add(steps + " " + (actor == null ? "world" : actor.name) + ": " + line);
    }
  }

  List<String> trace() {
    return trace;
  }

  Actor spawn(SimulatedProcess process, String name, Runnable body) {
    Actor actor = new Actor(this, process, name, process.nextActor(), body);
    actors.add(actor);
    return actor;
  }

  Alarm alarm(SimulatedProcess process, long delayNanos, String lane, Runnable task) {
    Alarm alarm = new Alarm(process, now + Math.max(0, delayNanos), order++, lane, task);
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
    List<Actor> ready = ready();
    boolean early = waitsForTime() && (!punctual || ready.isEmpty());
    int chosen = choices.choose(ready.size() + (early ? 1 : 0));
    if (chosen < ready.size()) {
      resume(ready.get(chosen));
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

  /** Who may go on now; first whoever ran last. */
  List<Actor> ready() {
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
    return ready;
  }

  /** Those of a process that have not ended. */
  List<Actor> actorsOf(SimulatedProcess process) {
    return actors.stream().filter(actor -> actor.process == process && !actor.isDone()).toList();
  }

  /** What a process will do when its time has come, in that order. */
  List<Alarm> alarmsOf(SimulatedProcess process) {
    return alarms.stream().filter(alarm -> alarm.process == process).sorted(ORDER).toList();
  }

  /** Whether somebody waits for time to pass. */
  boolean waitsForTime() {
    return !alarms.isEmpty() || actors.stream().anyMatch(Actor::waitsForTime);
  }

  /** Runs an actor's next step. */
  void resume(Actor actor) {
    running = actor;
    steps++;
    actor.process.mix(actor.name.hashCode() * 31L + Long.hashCode(now));
    actor.runUntilItYields();
  }

  /** Moves the clock to the next thing that waits for time. */
  void passTime() {
    Alarm alarm = alarms.peek();
    long wake =
        actors.stream()
            .filter(Actor::waitsForTime)
            .mapToLong(Actor::deadline)
            .min()
            .orElse(Long.MAX_VALUE);
    if (alarm == null || alarm.due > wake) {
      now = Math.max(now, wake);
      return;
    }
    now = Math.max(now, alarm.due);
    running = null;
    do {
      alarms.remove();
      alarm.process.start(alarm.lane, alarm.task);
      alarm = alarms.peek();
    } while (punctual && alarm != null && alarm.due <= now);
  }

  /** A killed process does nothing any more; its threads are ended with the world. */
  void bury(SimulatedProcess process) {
    List<Actor> dead = actorsOf(process);
    actors.removeAll(dead);
    buried.addAll(dead);
    alarms.removeIf(alarm -> alarm.process == process);
    running = null;
  }

  /**
   * Runs until {@code next} answers null or throws: after each step whoever has the baton asks it
   * who goes on and hands the baton straight over, or keeps it.
   */
  void drive(Supplier<@Nullable Actor> next) {
    driver = next;
    handOver(null);
    ended.acquireUninterruptibly();
    driver = null;
    Actor.rethrow(failure);
  }

  boolean isDriven() {
    return driver != null;
  }

  /** Answers whether the actor that has the baton keeps it. */
  boolean handOver(@Nullable Actor from) {
    Actor to = null;
    try {
      to = driver == null ? null : driver.get();
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    if (to == null) {
      ended.release();
      return false;
    }
    running = to;
    steps++;
    to.process.mix(to.name.hashCode() * 31L + Long.hashCode(now));
    if (to != from) {
      to.takeBaton();
    }
    return to == from;
  }

  /** Ends the drive with what an actor failed with. */
  void fail(Throwable thrown) {
    failure = thrown;
    ended.release();
  }

  private void endIt(Actor actor) {
    while (!actor.isDone()) {
      running = actor;
      actor.runUntilItYields();
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
    actors.forEach(this::endIt);
    buried.forEach(this::endIt);
    actors.clear();
    alarms.clear();
  }

  /** A task that waits for its time. */
  static final class Alarm {
    final long due;
    final String lane;
    final Runnable task;
    private final SimulatedProcess process;
    private final long order;

    Alarm(SimulatedProcess process, long due, long order, String lane, Runnable task) {
      this.process = process;
      this.due = due;
      this.order = order;
      this.lane = lane;
      this.task = task;
    }
  }
}
