package io.tidemark.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Refuses a second verb while one runs: a sequencer has one caller at a time.
 *
 * <p>A verb finds nobody inside, puts its thread's id there, and looks at its end whether it still
 * stands there. When two verbs overlap, whoever came first finds the other's id at its end, so at
 * least one of the two fails; no order of these steps lets both pass. There is no atomic update,
 * because {@code next} would pay for it more than for the number. What is given up: a processor may
 * delay the two writes past the two looks for some nanoseconds, and an overlap within that time can
 * pass. The verbs that take the lock order these writes by it.
 */
final class CallerGuard {
  private static final long NOBODY = 0;
  private static final VarHandle INSIDE;

  static {
    try {
      INSIDE = MethodHandles.lookup().findVarHandle(CallerGuard.class, "inside", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The id of the thread whose verb runs: a number, as storing a reference costs a barrier. */
  @SuppressWarnings("UnusedVariable") // through INSIDE
  private long inside;

  /** Answers what {@link #exit} wants back. */
  long enter() {
    if ((long) INSIDE.getAcquire(this) != NOBODY) {
      throw misuse();
    }
    long caller = Thread.currentThread().getId();
    INSIDE.setOpaque(this, caller);
    return caller;
  }

  void exit(long caller) {
    if ((long) INSIDE.getOpaque(this) != caller) {
      throw misuse();
    }
    INSIDE.setRelease(this, NOBODY);
  }

  private static IllegalStateException misuse() {
    return new IllegalStateException(
        "two threads use one sequencer at once; a transaction belongs to one caller at a time");
  }
}
