package io.tidemark.bench;

import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.StorageUri;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Runs the benchmarks and answers their figures, each beside its target. */
public final class Bench {
  private Bench() {}

  /**
   * The engine alone: no storage but memory.
   *
   * @param quick shorter measurements, with a wider spread
   * @param progress hears what is measured next
   */
  public static BenchReport engine(boolean quick, Consumer<String> progress) {
    List<Line> lines = new ArrayList<>(new EngineRuns(quick, progress).run());
    lines.addAll(new CountRuns(progress).run());
    return new BenchReport(lines, BenchReport.here());
  }

  /**
   * The pipeline on a storage with an SQL database under it, beside plain inserts into the same
   * database. Works in applications of its own and in a table {@code tidemark_bench}, and leaves
   * them.
   *
   * @throws IllegalArgumentException if the storage is not an SQL database
   */
  public static BenchReport storage(
      IStorageDriver driver, StorageUri uri, boolean quick, Consumer<String> progress) {
    return new BenchReport(new StorageRuns(driver, uri, quick, progress).run(), BenchReport.here());
  }
}
