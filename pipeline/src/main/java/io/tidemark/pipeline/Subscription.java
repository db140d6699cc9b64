package io.tidemark.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.core.Environment;
import io.tidemark.core.Environment.Lane;
import io.tidemark.core.Environment.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows a log: first what is there, then what comes, in order and without a gap. [P-16]
 *
 * <p>A log has no holes and becomes visible in order, so the next offset is all there is to
 * remember: no clock and no guess about what may still be missing takes part. Events logged by this
 * process are handed over at once, those of others when the log is looked at again. At most one
 * page of events is in memory. Each event is handed over at least once; {@link #next} is where a
 * new subscription goes on.
 *
 * <p><b>Threads.</b> The handler is called by one thread at a time.<br>
 * <b>Failure.</b> What the handler or the storage throws is kept in {@link #lastError} and tried
 * again, later each time; a log that cannot be read ends the subscription.
 */
public final class Subscription implements AutoCloseable {
  private static final long FIRST_PAUSE_NANOS = 10_000_000;
  private static final int MOST_DOUBLINGS = 6;

  /** A bounded part of the log. */
  @FunctionalInterface
  interface Source {
    /** The next events from this offset, and the offset after the last one looked at. */
    Page read(long from);
  }

  /** Some events of a log; {@code next} is where the log goes on. */
  record Page(List<Event> events, List<Long> offsets, long next) {}

  private final Environment environment;
  private final Duration pollInterval;
  private final Source source;
  private final EventHandler handler;
  private final Consumer<Subscription> onClose;
  private final ReentrantLock lock = new ReentrantLock();
  private int failures;
  private volatile long next;
  private volatile boolean closed;
  private volatile @Nullable Throwable lastError;

  @GuardedBy("lock")
  private boolean running;

  @GuardedBy("lock")
  private boolean woken;

  @GuardedBy("lock")
  private @Nullable Timer timer;

  Subscription(
      PipelineConfig config,
      long from,
      Source source,
      EventHandler handler,
      Consumer<Subscription> onClose) {
    if (from < 1) {
      throw new IllegalArgumentException("from must be >= 1, was " + from);
    }
    this.environment = config.environment();
    this.pollInterval = config.pollInterval();
    this.next = from;
    this.source = source;
    this.handler = handler;
    this.onClose = onClose;
  }

  /** The offset after the last event that was handled: where a new subscription goes on. */
  public long next() {
    return next;
  }

  /** Why it does not get on at the moment, or why it ended; null while all is well. */
  public @Nullable Throwable lastError() {
    return lastError;
  }

  /** Ends it. The handler may be busy with one last event. */
  @Override
  public void close() {
    closed = true;
    lock.lock();
    try {
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
    } finally {
      lock.unlock();
    }
    onClose.accept(this);
  }

  /** Looks at the log soon. */
  void wake() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      if (running) {
        woken = true;
        return;
      }
      running = true;
    } finally {
      lock.unlock();
    }
    environment.execute(Lane.SUBSCRIBER, this::run);
  }

  private void run() {
    long before = next;
    Duration pause = pollInterval;
    boolean more = false;
    try {
      Page page = source.read(before);
      for (int i = 0; i < page.events().size() && !closed; i++) {
        handler.handle(page.events().get(i));
        next = page.offsets().get(i) + 1;
      }
      if (!closed) {
        next = page.next();
      }
      more = next > before;
      failures = 0;
      lastError = null;
    } catch (StorageCorruptedException e) {
      lastError = e;
      closed = true;
    } catch (RuntimeException | Error e) {
      lastError = e;
      pause = Duration.ofNanos(FIRST_PAUSE_NANOS << Math.min(failures++, MOST_DOUBLINGS));
    }
    stop(more, pause);
  }

  /** After a page somebody else has the thread; after the last one, wait. */
  private void stop(boolean more, Duration pause) {
    lock.lock();
    try {
      boolean again = !closed && (more || (woken && lastError == null));
      woken = false;
      if (!again) {
        running = false;
        if (timer != null) {
          timer.cancel();
          timer = null;
        }
        if (!closed) {
          timer = environment.schedule(pause, Lane.SUBSCRIBER, this::wake);
        }
        return;
      }
    } finally {
      lock.unlock();
    }
    environment.execute(Lane.SUBSCRIBER, this::run);
  }
}
