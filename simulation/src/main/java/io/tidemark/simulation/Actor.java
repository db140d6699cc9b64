package io.tidemark.simulation;

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

  final SimulatedProcess process;
  final String name;
  private final World world;
  private final Runnable body;
  private final Semaphore go = new Semaphore(0);
  private final Semaphore back = new Semaphore(0);
  private boolean started;
  private boolean done;
  private @Nullable Throwable failure;
  private @Nullable SimulatedSignal awaited;
  private long ticket;
  private long deadline;

  Actor(World world, SimulatedProcess process, String name, Runnable body) {
    this.world = world;
    this.process = process;
    this.name = name;
    this.body = body;
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
        || signal.ticket() != ticket
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
    if (started) {
      go.release();
    } else {
      started = true;
      THREADS.execute(this::main);
    }
    back.acquireUninterruptibly();
    Throwable thrown = failure;
    if (thrown instanceof Violation violation) {
      failure = null;
      throw violation;
    }
    if (thrown != null) {
      failure = null;
      throw new AssertionError("actor " + name + " failed", thrown);
    }
  }

  /** On the actor's thread: gives the baton back and waits for the next turn. */
  void yieldBaton() {
    back.release();
    go.acquireUninterruptibly();
    process.dieIfKilled();
  }

  private void main() {
    try {
      process.dieIfKilled();
      body.run();
    } catch (SimulatedProcess.Killed expected) {
      // ends here, as the process did
    } catch (RuntimeException | Error e) {
      failure = e;
    } finally {
      done = true;
      back.release();
    }
  }
}
