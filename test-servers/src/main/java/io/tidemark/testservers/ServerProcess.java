package io.tidemark.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server that runs as our child and cannot outlive this JVM, however that ends: a guard process
 * waits on a pipe from us and kills the server when the pipe closes. Linux only.
 */
public abstract class ServerProcess implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final long LOOK_AGAIN_MILLIS = 20;

  private @Nullable Process server;
  private @Nullable Process guard;

  /** For subclasses. */
  protected ServerProcess() {}

  /** How to start it; called again for a restart. */
  protected abstract ProcessBuilder command();

  /** Whether it takes requests. */
  protected abstract boolean answers();

  /** Where its output goes. */
  protected abstract Path log();

  /** The signal that asks for an orderly end. */
  protected abstract String stopSignal();

  /** Starts it and waits until it answers. */
  public final synchronized void start(Duration patience) {
    unchecked(
        () -> {
          Process started =
              command()
                  .redirectErrorStream(true)
                  .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                  .start();
          server = started;
          String pid = Long.toString(started.pid());
          guard =
              new ProcessBuilder(
                      "sh",
                      "-c",
                      "trap '' INT TERM HUP; read _; "
                          + "kill -CONT $0; kill -9 $0 $(cat /proc/$0/task/$0/children)",
                      pid)
                  .start();
          long end = System.nanoTime() + patience.toNanos();
          while (!answers()) {
            if (!started.isAlive() || System.nanoTime() - end > 0) {
              kill9();
              throw new IllegalStateException(
                  "the server did not start: " + Files.readString(log()));
            }
            Thread.sleep(LOOK_AGAIN_MILLIS);
          }
          return null;
        });
  }

  /** Its process id. */
  public final synchronized long pid() {
    return running().pid();
  }

  /** Stops the whole process tree where it is; when it returns, no thread of it runs. */
  public final synchronized void pause() {
    signalTree("STOP");
    // On a loaded machine the signal waits for a thread to take it, and the others go on meanwhile.
    ProcessHandle parent = running().toHandle();
    Stream.concat(Stream.of(parent), parent.descendants()).forEach(ServerProcess::awaitStopped);
  }

  private static void awaitStopped(ProcessHandle handle) {
    Path threads = Path.of("/proc", Long.toString(handle.pid()), "task");
    long end = System.nanoTime() + SOON.toNanos();
    unchecked(
        () -> {
          while (handle.isAlive() && !areStopped(threads)) {
            if (System.nanoTime() - end > 0) {
              throw new IllegalStateException("process " + handle.pid() + " did not stop");
            }
            Thread.sleep(LOOK_AGAIN_MILLIS);
          }
          return null;
        });
  }

  /** Whether each thread's state, the word after its name in parentheses, is T: stopped. */
  private static boolean areStopped(Path threads) {
    try (Stream<Path> all = Files.list(threads)) {
      for (Path thread : all.toList()) {
        String stat = Files.readString(thread.resolve("stat"));
        if (!stat.startsWith("T", stat.lastIndexOf(')') + 2)) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return false; // a thread ended while we looked
    }
  }

  /** Lets a paused process tree go on. */
  public final synchronized void resume() {
    signalTree("CONT");
  }

  /** Kills it and starts it again on the same data. */
  public final synchronized void restart(Duration patience) {
    kill9();
    start(patience);
  }

  /** Ends the whole process tree at once. */
  public final synchronized void kill9() {
    if (server == null) {
      return;
    }
    List<ProcessHandle> tree = tree();
    signal("KILL", tree.stream());
    awaitEnd(SOON);
    // A child that is still dying may hold what the next start needs, such as shared memory.
    long end = System.nanoTime() + SOON.toNanos();
    while (tree.stream().anyMatch(ServerProcess::runs) && System.nanoTime() - end < 0) {
      unchecked(
          () -> {
            Thread.sleep(LOOK_AGAIN_MILLIS);
            return null;
          });
    }
    if (guard != null) {
      guard.destroyForcibly();
    }
  }

  /** Asks for an orderly end, and kills what is left after {@code patience}. */
  public final synchronized void stop(Duration patience) {
    if (server == null) {
      return;
    }
    resume();
    signal(stopSignal(), Stream.of(running().toHandle()));
    awaitEnd(patience);
    kill9();
  }

  @Override
  public void close() {
    stop(SOON);
  }

  private void signalTree(String name) {
    signal(name, tree().stream());
  }

  /** Parent first, so that it forks no more. */
  private List<ProcessHandle> tree() {
    ProcessHandle parent = running().toHandle();
    return Stream.concat(Stream.of(parent), parent.descendants()).toList();
  }

  /** Not a zombie: those hold nothing, and may never go away where process 1 does not reap. */
  private static boolean runs(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      return !stat.substring(stat.lastIndexOf(')')).startsWith(") Z");
    } catch (IOException e) {
      return false;
    }
  }

  private static void signal(String name, Stream<ProcessHandle> to) {
    String pids =
        to.filter(ProcessHandle::isAlive)
            .map(handle -> Long.toString(handle.pid()))
            .collect(Collectors.joining(" "));
    if (!pids.isEmpty()) {
      unchecked(
          () ->
              new ProcessBuilder("sh", "-c", "kill -" + name + " " + pids + " 2>/dev/null")
                  .start()
                  .waitFor());
    }
  }

  private void awaitEnd(Duration patience) {
    unchecked(() -> running().waitFor(patience.toMillis(), TimeUnit.MILLISECONDS));
  }

  private Process running() {
    if (server == null) {
      throw new IllegalStateException("the server was never started");
    }
    return server;
  }

  /** Runs {@code work}, wrapping what it may throw. */
  protected static <T extends @Nullable Object> T unchecked(Callable<T> work) {
    try {
      return work.call();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
