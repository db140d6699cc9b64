package io.tidemark.pipeline;

import io.tidemark.core.Environment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.UUID;

/** A process on one thread: background work runs when it is told to, or when somebody waits. */
final class Steps implements Environment {
  private final Queue<Runnable> ready = new ArrayDeque<>();
  private final PriorityQueue<Alarm> alarms =
      new PriorityQueue<>(
          Comparator.comparingLong((Alarm alarm) -> alarm.due).thenComparingLong(a -> a.order));
  private Lane lane = Lane.COMMAND;
  private long now;
  private long order;

  private record Alarm(long due, long order, Runnable task) {}

  /** Runs what is ready, without letting time pass. */
  void runReady() {
    while (!ready.isEmpty()) {
      ready.remove().run();
    }
  }

  /** Lets time pass, running what becomes due. */
  void pass(Duration duration) {
    long until = now + duration.toNanos();
    while (runOne(until)) {
      // goes on
    }
    now = until;
  }

  private boolean runOne(long until) {
    if (!ready.isEmpty()) {
      ready.remove().run();
      return true;
    }
    Alarm alarm = alarms.peek();
    if (alarm == null || alarm.due > until) {
      return false;
    }
    alarms.remove();
    now = Math.max(now, alarm.due);
    alarm.task.run();
    return true;
  }

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public void execute(Lane lane, Runnable task) {
    ready.add(
        () -> {
          Lane before = this.lane;
          this.lane = lane;
          try {
            task.run();
          } finally {
            this.lane = before;
          }
        });
  }

  /** Whose thread this is, as far as background work goes. */
  Lane lane() {
    return lane;
  }

  @Override
  public Timer schedule(Duration delay, Lane lane, Runnable task) {
    Alarm alarm = new Alarm(now + delay.toNanos(), order++, task);
    alarms.add(alarm);
    return () -> alarms.remove(alarm);
  }

  @Override
  public Signal newSignal() {
    return new StepSignal();
  }

  @Override
  public UUID randomId() {
    return UUID.randomUUID();
  }

  @Override
  public double random() {
    return 0.5;
  }

  private final class StepSignal implements Signal {
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
      while (count == ticket && now < until) {
        if (!runOne(until)) {
          if (nanos > Duration.ofDays(1).toNanos()) {
            throw new AssertionError("somebody would wait for ever");
          }
          now = until;
        }
      }
    }
  }
}
