package io.tidemark.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Refuses a second verb while one runs: a sequencer has one caller at a time. */
final class CallerGuard {
  private static final VarHandle INSIDE;

  static {
    try {
      INSIDE = MethodHandles.lookup().findVarHandle(CallerGuard.class, "inside", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // through INSIDE
  private boolean inside;

  void enter() {
    if (!INSIDE.compareAndSet(this, false, true)) {
      throw new IllegalStateException(
          "two threads use one sequencer at once; a transaction belongs to one caller at a time");
    }
  }

  void exit() {
    INSIDE.setRelease(this, false);
  }
}
