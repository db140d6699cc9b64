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
 * <p>Every transaction enters twice and hardly ever meets anybody, so leaving does not look for
 * waiters, which would cost as much as entering. A waiter spins for about as long as a usual
 * stretch lasts, then sleeps for a bounded time and looks again. Not reentrant, and no condition:
 * waiting for something is a {@link Environment.Signal}'s work.
 */
final class ShortLock implements Lock {
  private static final int SPINS = 200;
  private static final long FIRST_SLEEP_NANOS = 20_000;
  private static final long LONGEST_SLEEP_NANOS = 500_000;
  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(ShortLock.class, "held", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // through HELD
  private boolean held;

  @Override
  public void lock() {
    if (!HELD.compareAndSet(this, false, true)) {
      lockLater();
    }
  }

  private void lockLater() {
    for (int i = 0; i < SPINS; i++) {
      Thread.onSpinWait();
      if (tryLock()) {
        return;
      }
    }
    long sleep = FIRST_SLEEP_NANOS;
    while (!tryLock()) {
      LockSupport.parkNanos(this, sleep);
      sleep = Math.min(LONGEST_SLEEP_NANOS, sleep * 2);
    }
  }

  @Override
  public boolean tryLock() {
    return !(boolean) HELD.getOpaque(this) && HELD.compareAndSet(this, false, true);
  }

  @Override
  public void unlock() {
    HELD.setRelease(this, false);
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
