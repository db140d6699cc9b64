package io.tidemark.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A worker process as the one who started it sees it: it can be killed, paused and resumed. */
final class Worker implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 30;

  private final Process process;
  private final Thread reader;

  private Worker(Process process, Thread reader) {
    this.process = process;
    this.reader = reader;
  }

  /** Starts one; each line it says goes to {@code lines}, on a thread of its own. */
  static Worker start(List<String> arguments, Consumer<String> lines) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(Main.class.getName(), "worker"));
    command.addAll(arguments);
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      Thread reader = new Thread(() -> read(process, lines), "worker-" + process.pid());
      reader.setDaemon(true);
      reader.start();
      return new Worker(process, reader);
    } catch (IOException e) {
      throw new UncheckedIOException("a worker process cannot be started", e);
    }
  }

  /** A line cut by a kill has no end, so it counts for nothing. */
  private static void read(Process process, Consumer<String> lines) {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      StringBuilder line = new StringBuilder();
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (next == '\n') {
          lines.accept(line.toString());
          line.setLength(0);
        } else {
          line.append((char) next);
        }
      }
    } catch (IOException e) {
      // its end was cut off by a kill
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /** SIGKILL: it has no time for anything. Returns when everything it said has been heard. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  void pause() {
    signal("STOP");
  }

  void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("kill -" + name + " cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until it has ended by itself; the exit code. */
  int awaitExit() throws InterruptedException {
    int code = process.waitFor();
    awaitEnd();
    return code;
  }

  private void awaitEnd() {
    try {
      process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      reader.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    resume();
    kill();
  }
}
