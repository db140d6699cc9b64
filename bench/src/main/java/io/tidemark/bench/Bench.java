package io.tidemark.bench;

import java.util.Map;

/** Runs the benchmarks and answers their figures, each beside its target. */
public final class Bench {
  private Bench() {}

  /**
   * Measures. On a storage it works in applications {@code bench-…} and tables {@code
   * tidemark_bench…} of its own, and leaves them: a long log need not be written twice.
   *
   * @throws IllegalArgumentException if no plain way into the storage's database is known
   */
  public static BenchReport run(BenchConfig config) {
    Map<String, String> machine = Machine.here();
    Findings findings = new Findings(config.progress());
    if (config.parts().contains(Part.TRANSACTIONS)) {
      new EngineRuns(config.quick(), findings).transactions();
    }
    if (config.parts().contains(Part.REPLAY)) {
      new EngineRuns(config.quick(), findings).replay();
    }
    if (config.parts().contains(Part.COUNTS)) {
      new CountRuns(config.quick(), findings).run();
      new PartitionRuns(config.quick(), findings).run();
    }
    if (config.parts().contains(Part.START_UP)) {
      new StartUpRuns(config, findings).run();
    }
    if (config.parts().contains(Part.STORAGE)) {
      new StorageRuns(config, findings).run();
    }
    return new BenchReport(findings.lines(), findings.plots(), machine);
  }
}
