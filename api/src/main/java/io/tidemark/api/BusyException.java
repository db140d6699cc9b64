package io.tidemark.api;

import java.time.Duration;

/** The partition cannot take a transaction now; nothing was drawn or written. [E-16] */
public final class BusyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  private final Refusal reason;

  /** When to try again. */
  private final Duration retryAfter;

  /** Says why, and when a new try makes sense. */
  public BusyException(Refusal reason, Duration retryAfter) {
    super("server is busy: " + reason + ", " + reason.remedy());
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  /** Why the transaction was refused. */
  public Refusal reason() {
    return reason;
  }

  /** A hint: trying earlier than this is unlikely to succeed; zero when trying again is useless. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
