package io.tidemark.core;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.UUID;

/**
 * Virtual time on the test's own thread: background work runs when the test says so, or when the
 * thread would have to wait.
 */
class ManualEnvironment implements Environment {
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final List<Alarm> alarms = new ArrayList<>();
  private long now;
  private long ids;

  private record Alarm(long due, Runnable task) {}

  /** Runs what is ready, without letting time pass. */
  void runReady() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /** Lets time pass, running what falls due. */
  void advance(Duration duration) {
    long until = now + duration.toNanos();
    runReady();
    while (passTo(until)) {
      runReady();
    }
    now = until;
  }

  private boolean passTo(long until) {
    Alarm next = alarms.stream().min(Comparator.comparingLong(Alarm::due)).orElse(null);
    if (next == null || next.due > until) {
      return false;
    }
    alarms.remove(next);
    now = Math.max(now, next.due);
    next.task.run();
    return true;
  }

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public void execute(Lane lane, Runnable task) {
    tasks.add(task);
  }

  @Override
  public Timer schedule(Duration delay, Lane lane, Runnable task) {
    Alarm alarm = new Alarm(now + delay.toNanos(), task);
    alarms.add(alarm);
    return () -> alarms.remove(alarm);
  }

  @Override
  public Signal newSignal() {
    return new Signal() {
      private long count;

      @Override
      public long ticket() {
        return count;
      }

      @Override
      public void raise() {
        count++;
      }

      @Override
      public void await(long ticket, long nanos) {
        long until = now + nanos;
        while (count == ticket) {
          Runnable task = tasks.poll();
          if (task != null) {
            task.run();
          } else if (!passTo(until)) {
            now = until;
            return;
          }
        }
      }
    };
  }

  @Override
  public UUID randomId() {
    return new UUID(1, ++ids);
  }

  @Override
  public double random() {
    return 0.5;
  }
}
