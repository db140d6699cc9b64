package io.tidemark.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * Mutual exclusion for stretches that never wait for anything: a single atomic update to enter, a
 * plain release to leave.
 *
 * <p>Every transaction enters twice and hardly ever meets anybody, so leaving wakes nobody. A
 * waiter spins for longer than a usual stretch lasts, then sleeps for a bounded time and looks
 * again. Whoever leaves while somebody spins gives way for a moment; else a caller that comes back
 * at once, again and again, would keep the flusher out until it sleeps. Not reentrant, and no
 * condition: waiting for something is a {@link Environment.Signal}'s work.
 */
final class ShortLock implements Lock {
  private static final int SPINS = 200;
  private static final long FIRST_SLEEP_NANOS = 20_000;
  private static final long LONGEST_SLEEP_NANOS = 500_000;
  private static final VarHandle HELD;
  private static final VarHandle SPINNING;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HELD = lookup.findVarHandle(ShortLock.class, "held", boolean.class);
      SPINNING = lookup.findVarHandle(ShortLock.class, "spinning", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // through HELD
  private boolean held;

  @SuppressWarnings("UnusedVariable") // through SPINNING
  private int spinning;

  @Override
  public void lock() {
    if (!HELD.compareAndSet(this, false, true)) {
      lockLater();
    }
  }

  private void lockLater() {
    long sleep = FIRST_SLEEP_NANOS;
    while (!spin()) {
      LockSupport.parkNanos(this, sleep);
      sleep = Math.min(LONGEST_SLEEP_NANOS, sleep * 2);
    }
  }

  private boolean spin() {
    int ignored = (int) SPINNING.getAndAdd(this, 1);
    try {
      for (int i = 0; i < SPINS; i++) {
        Thread.onSpinWait();
        if (tryLock()) {
          return true;
        }
      }
      return false;
    } finally {
      ignored = (int) SPINNING.getAndAdd(this, -1);
    }
  }

  @Override
  public boolean tryLock() {
    return !(boolean) HELD.getOpaque(this) && HELD.compareAndSet(this, false, true);
  }

  @Override
  public void unlock() {
    HELD.setRelease(this, false);
    if (isAwaited()) {
      giveWay();
    }
  }

  private boolean isAwaited() {
    return (int) SPINNING.getOpaque(this) != 0;
  }

  /** Until somebody has it; for less than a waiter spins, as that one may not be running. */
  private void giveWay() {
    for (int i = 0; i < SPINS / 4 && isAwaited() && !(boolean) HELD.getOpaque(this); i++) {
      Thread.onSpinWait();
    }
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) {
    throw new UnsupportedOperationException("nobody waits for this lock for a given time");
  }

  @Override
  public void lockInterruptibly() {
    throw new UnsupportedOperationException("waiting for this lock is too short to interrupt");
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("wait for a Signal instead");
  }
}
