package io.tidemark.cli;

import java.io.PrintWriter;
import java.time.Duration;

/** A bar with rate and time left, redrawn a few times a second; silent where nobody looks on. */
final class Progress implements AutoCloseable {
  private static final long REDRAW_NANOS = 200_000_000L;
  private static final int WIDTH = 30;

  private final PrintWriter err;
  private final boolean visible;
  private final String what;
  private long total;
  private final long started = System.nanoTime();
  private long drawn = started;
  private long done;
  private boolean anything;

  Progress(PrintWriter err, boolean visible, String what, long total) {
    this.err = err;
    this.visible = visible;
    this.what = what;
    this.total = total;
  }

  /** Counts one more. */
  void step() {
    at(done + 1);
  }

  /** Says how far the work is, and how much it has turned out to be. */
  void at(long now, long ofTotal) {
    total = ofTotal;
    at(now);
  }

  /** Says how far the work is. */
  void at(long now) {
    done = now;
    if (visible && System.nanoTime() - drawn >= REDRAW_NANOS) {
      drawn = System.nanoTime();
      draw();
    }
  }

  private void draw() {
    anything = true;
    double seconds = (System.nanoTime() - started) / 1e9;
    double rate = done / seconds;
    if (total <= 0) {
      err.printf("\r%s  %,d  %,.0f/s   ", what, done, rate);
    } else {
      int filled = (int) (WIDTH * Math.min(1.0, (double) done / total));
      Duration left = Duration.ofSeconds((long) Math.ceil((total - done) / Math.max(rate, 1e-9)));
      err.printf(
          "\r%s [%s%s] %,d of %,d  %,.0f/s  %s left   ",
          what,
          "#".repeat(filled),
          "-".repeat(WIDTH - filled),
          done,
          total,
          rate,
          Durations.format(left));
    }
    err.flush();
  }

  /** Clears the line. */
  @Override
  public void close() {
    if (anything) {
      err.print("\r" + " ".repeat(100) + "\r");
      err.flush();
    }
  }
}
