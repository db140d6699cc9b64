package io.tidemark.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The figures of one run.
 *
 * @param lines the figures
 * @param plots the same and more, as curves
 * @param machine where they were measured
 */
public record BenchReport(List<Line> lines, List<Plot> plots, Map<String, String> machine) {
  /** What the letters of the units mean. */
  public static final String BASELINES =
      "(a): look-up of one of 64 hot entries in a HashMap and an array increment; "
          + "(c): Caffeine getIfPresent over 100,000 random keys; "
          + "(e1): a plain one-row INSERT with a commit each; (e10), (e100): 10 and 100 rows a"
          + " commit. Baseline and measured take turns in short rounds; the figure is the median"
          + " of the rounds' ratios, its spread goes from the lowest to the highest fifth.";

  /** Copies. */
  public BenchReport {
    lines = List.copyOf(lines);
    plots = List.copyOf(plots);
    machine = Collections.unmodifiableMap(new LinkedHashMap<>(machine));
  }

  /** Writes {@code bench.html} into a folder, creating it. */
  public void writeTo(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("bench.html"), BenchPage.write(this));
  }
}
