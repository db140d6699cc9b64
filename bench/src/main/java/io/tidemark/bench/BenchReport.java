package io.tidemark.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The figures of one run.
 *
 * @param lines the figures
 * @param machine where they were measured
 */
public record BenchReport(List<Line> lines, Map<String, String> machine) {
  /** Copies. */
  public BenchReport {
    lines = List.copyOf(lines);
    machine = Map.copyOf(machine);
  }

  static Map<String, String> here() {
    Map<String, String> machine = new TreeMap<>();
    machine.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    machine.put("jvm", System.getProperty("java.vm.name") + " " + Runtime.version());
    machine.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("maxHeapMiB", Long.toString(Runtime.getRuntime().maxMemory() >> 20));
    return machine;
  }

  /** Writes {@code bench.html} into a folder, creating it. */
  public void writeTo(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("bench.html"), BenchPage.write(this));
  }
}
