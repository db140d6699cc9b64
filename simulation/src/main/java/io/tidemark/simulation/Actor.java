package io.tidemark.simulation;

import io.tidemark.storage.memory.StorageCall;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** One simulated thread. It runs only between two hand-overs of the baton. */
final class Actor {
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "simulated");
            thread.setDaemon(true);
            return thread;
          });

  /** Whoever waits longer than this waits for something else than time. */
  private static final long LONG = Duration.ofHours(1).toNanos();

  final SimulatedProcess process;
  final String name;
  final String lane;
  final Runnable body;
  private final World world;
  private final Semaphore go = new Semaphore(0);
  private final Semaphore back = new Semaphore(0);
  private boolean started;
  private boolean done;
  private @Nullable Throwable failure;
  private @Nullable SimulatedSignal awaited;
  private long ticket;
  private long deadline;
  private @Nullable StorageCall pending;
  private long view;
  private long carried;
  private int calls;
  private final Map<SimulatedSignal, Long> tickets = new LinkedHashMap<>();

  Actor(World world, SimulatedProcess process, String lane, int number, Runnable body) {
    this.world = world;
    this.process = process;
    this.lane = lane;
    this.name = process.name() + "/" + lane + "#" + number;
    this.body = body;
    this.view = lane.hashCode();
  }

  /** Its next step is this call of the storage, and this stands for what it carries. */
  void call(StorageCall next, long what) {
    pending = next;
    carried = what;
    calls++;
  }

  /** Its next step is no call. */
  void called() {
    pending = null;
    carried = 0;
  }

  /** What it waits for, how many calls it has made, and its memory. */
  record Wait(@Nullable SimulatedSignal signal, long deadline, int calls, long view) {}

  Wait beginStep() {
    return new Wait(awaited, deadline, calls, view);
  }

  /**
   * Whoever was woken, looked and waits on as before has learned nothing: the engine looks at
   * everything again whenever it is woken.
   */
  void endStep(Wait before) {
    if (before.signal != null
        && before.signal == awaited
        && before.deadline == deadline
        && before.calls == calls) {
      view = before.view;
    }
  }

  @Nullable StorageCall pending() {
    return pending;
  }

  /** Its own memory from now on depends on this too. */
  void learn(long what) {
    view = Mix.of(view, what);
  }

  /** Its own memory now depends on this alone, and on what its process holds. */
  void forgetAllBut(long what) {
    view = Mix.of(lane.hashCode(), what);
    tickets.clear();
  }

  void tookTicket(SimulatedSignal signal) {
    tickets.put(signal, signal.count());
  }

  /**
   * Stands for its own memory, its stack: the answers it got, the call it is about to make, what it
   * waits for, and whether that was raised since it looked.
   */
  long view() {
    long hash = Mix.of(Mix.of(view, pending == null ? -1 : pending.name().hashCode()), carried);
    for (Map.Entry<SimulatedSignal, Long> ticket : tickets.entrySet()) {
      hash = Mix.of(hash, ticket.getKey().count() == ticket.getValue() ? 1 : 2);
    }
    return awaited == null ? hash : Mix.of(hash, Math.min(deadline - world.now(), LONG));
  }

  boolean isStarted() {
    return started;
  }

  boolean isDone() {
    return done;
  }

  boolean isReady() {
    if (done || process.isPaused()) {
      return false;
    }
    SimulatedSignal signal = awaited;
    return process.isDead()
        || signal == null
        || signal.count() != ticket
        || deadline <= world.now();
  }

  boolean waitsForTime() {
    return !done && awaited != null && !process.isPaused() && !isReady();
  }

  long deadline() {
    return deadline;
  }

  void waitFor(SimulatedSignal signal, long since, long until) {
    awaited = signal;
    ticket = since;
    deadline = until;
  }

  void waitForNothing() {
    awaited = null;
  }

  /** On the scheduler's thread: hands the baton over and waits for it to come back. */
  void runUntilItYields() {
    takeBaton();
    back.acquireUninterruptibly();
    Throwable thrown = failure;
    failure = null;
    rethrow(thrown);
  }

  /** Throws what an actor or the world failed with, if it did. */
  static void rethrow(@Nullable Throwable thrown) {
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
  }

  /** On another thread: it goes on. */
  void takeBaton() {
    if (started) {
      go.release();
    } else {
      started = true;
      THREADS.execute(this::main);
    }
  }

  /** On the actor's thread: gives the baton away and waits for the next turn. */
  void yieldBaton() {
    if (!world.isDriven()) {
      back.release();
      go.acquireUninterruptibly();
    } else if (!world.handOver(this)) {
      go.acquireUninterruptibly();
    }
    process.dieIfKilled();
  }

  private void main() {
    try {
      process.dieIfKilled();
      body.run();
    } catch (SimulatedProcess.Killed expected) {
      // ends here, as the process did
    } catch (Violation e) {
      failure = e;
    } catch (RuntimeException | Error e) {
      failure = new AssertionError("actor " + name + " failed", e);
    }
    done = true;
    Throwable thrown = failure;
    if (!world.isDriven()) {
      back.release();
    } else if (thrown != null) {
      world.fail(thrown);
    } else {
      world.handOver(null);
    }
  }
}
