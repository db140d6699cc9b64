package io.tidemark.storage.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** A {@link Worker} in a JVM of its own, and what it has acknowledged. */
final class WorkerProcess implements AutoCloseable {
  private static final long MINUTES = 4;

  private final Process process;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<String> acknowledged = new ArrayList<>();
  private boolean ready;
  private boolean ended;

  WorkerProcess(String uri, int partition, int level, long seed) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName(),
                uri,
                Integer.toString(partition),
                Integer.toString(level),
                Long.toString(seed))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Thread reader = new Thread(this::read, "worker " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String read = line;
        change(() -> take(read));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      change(() -> ended = true);
    }
  }

  private void take(String line) {
    if (line.equals("ready")) {
      ready = true;
    } else if (line.matches("[0-9]+ [0-9a-f-]{36}")) {
      acknowledged.add(line);
    }
  }

  private void change(Runnable step) {
    lock.lock();
    try {
      step.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void await(String what, BooleanSupplier condition) {
    lock.lock();
    try {
      long left = TimeUnit.MINUTES.toNanos(MINUTES);
      while (!condition.getAsBoolean()) {
        if (ended || left <= 0) {
          throw new AssertionError(
              "the worker never came to: " + what + (ended ? "; it ended" : ""));
        }
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } finally {
      lock.unlock();
    }
  }

  void awaitReady() {
    await("ready", () -> ready);
  }

  /** Waits until {@code more} further events were acknowledged. */
  void awaitAcknowledged(int more) {
    int target = acknowledged().size() + more;
    await(more + " more acknowledged events", () -> acknowledged.size() >= target);
  }

  List<String> acknowledged() {
    lock.lock();
    try {
      return List.copyOf(acknowledged);
    } finally {
      lock.unlock();
    }
  }

  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  int awaitEnd() throws InterruptedException {
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      throw new AssertionError("the worker did not end");
    }
    await("its last line", () -> ended);
    return process.exitValue();
  }

  /** Kills it and waits for its last acknowledged event. */
  void kill9() throws IOException, InterruptedException {
    signal("KILL"); // and not destroyForcibly, which closes the pipe with lines still in it
    awaitEnd();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
