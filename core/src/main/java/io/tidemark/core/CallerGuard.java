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
 *
 * <p>Between verbs the gate also tells whether a transaction is open, so that a draw looks once.
 */
class CallerGuard {
  private static final long CLOSED = 0;
  private static final long OPEN = -1;
  private static final VarHandle GATE;

  static {
    try {
      GATE = MethodHandles.lookup().findVarHandle(CallerGuard.class, "gate", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The id of the thread whose verb runs: a number, as storing a reference costs a barrier. */
  @SuppressWarnings("UnusedVariable") // through GATE
  private long gate;

  /** Whether a transaction is open. Changed between enter and exit only. */
  private boolean open;

  final boolean isOpen() {
    return open;
  }

  final void setOpen(boolean now) {
    open = now;
  }

  /** Answers what {@link #exit} wants back. */
  final long enter() {
    if ((long) GATE.getAcquire(this) > CLOSED) {
      throw misuse();
    }
    return enterAs(Thread.currentThread().getId());
  }

  /** Enters if a transaction is open, else answers 0. */
  final long enterOpen() {
    if ((long) GATE.getAcquire(this) != OPEN) {
      return 0;
    }
    return enterAs(Thread.currentThread().getId());
  }

  private long enterAs(long caller) {
    GATE.setOpaque(this, caller);
    return caller;
  }

  final void exit(long caller) {
    exit(caller, open ? OPEN : CLOSED);
  }

  /** The same, for a verb that leaves the transaction open. */
  final void exitOpen(long caller) {
    exit(caller, OPEN);
  }

  private void exit(long caller, long after) {
    if ((long) GATE.getOpaque(this) != caller) {
      throw misuse();
    }
    GATE.setRelease(this, after);
  }

  private static IllegalStateException misuse() {
    return new IllegalStateException(
        "two threads use one sequencer at once; a transaction belongs to one caller at a time");
  }
}
