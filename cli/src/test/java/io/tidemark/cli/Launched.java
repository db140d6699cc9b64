package io.tidemark.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The launcher of the source tree, run in a process of its own. */
record Launched(int code, String out, String err) {
  private static final long PATIENCE_MINUTES = 5;

  static Launched tidemark(Path folder, String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of("..", "tidemark").toAbsolutePath().normalize().toString());
    command.addAll(List.of(args));
    Path out = Files.createTempFile(folder, "out", ".txt");
    Path err = Files.createTempFile(folder, "err", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IllegalStateException("the launcher did not end: " + command);
    }
    return new Launched(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
