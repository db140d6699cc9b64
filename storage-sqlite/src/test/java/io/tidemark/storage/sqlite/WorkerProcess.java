package io.tidemark.storage.sqlite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link CommandWorker} in a process of its own. */
final class WorkerProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;
  private final Path errors;
  private final List<String> acknowledged = new ArrayList<>();

  private WorkerProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts the process; it touches nothing before {@link #go}. */
  static WorkerProcess start(Path folder, Path file, String name) throws IOException {
    Path errors = folder.resolve(name + ".err");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx64m",
                // The driver unpacks its library there, and a killed process leaves it.
                "-Dorg.sqlite.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                CommandWorker.class.getName(),
                file.toString(),
                name)
            .redirectError(errors.toFile())
            .start();
    return new WorkerProcess(process, errors);
  }

  void go() throws IOException {
    Writer input = process.outputWriter(StandardCharsets.UTF_8);
    input.write(CommandWorker.GO + "\n");
    input.flush();
  }

  /** Waits for the next acknowledged command; null when there will be none. */
  @Nullable String next() throws IOException {
    String line = output.readLine();
    if (line == null || line.equals(CommandWorker.FENCED)) {
      return null;
    }
    acknowledged.add(line);
    return line;
  }

  String require() throws IOException {
    String line = next();
    if (line == null) {
      throw new AssertionError("the worker ended by itself: " + Files.readString(errors));
    }
    return line;
  }

  /** Kills it with SIGKILL and reads what it had still acknowledged. */
  void kill() throws IOException, InterruptedException {
    process.toHandle().destroyForcibly(); // Process's own method would close the pipe too
    while (next() != null) {}
    process.waitFor();
  }

  int exitValue() throws InterruptedException {
    return process.waitFor();
  }

  List<String> acknowledged() {
    return acknowledged;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
