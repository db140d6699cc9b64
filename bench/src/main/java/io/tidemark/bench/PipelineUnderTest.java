package io.tidemark.bench;

import io.tidemark.api.SequenceTypes;
import io.tidemark.api.TrustLevel;
import io.tidemark.pipeline.AppPartitions;
import io.tidemark.pipeline.Command;
import io.tidemark.pipeline.CommandProcessor;
import io.tidemark.pipeline.CommandReply;
import io.tidemark.pipeline.PipelineConfig;
import io.tidemark.pipeline.RecordType;
import io.tidemark.spi.IAppStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;

/** One partition of the whole pipeline in an application of its own: log, record, workspace log. */
final class PipelineUnderTest implements AutoCloseable {
  private static final int KIND = 1;
  private static final int WORKSPACES = 1000;
  private static final int MOST_WAITING = 10_000;
  private static final RecordType DOCUMENT = RecordType.wdoc("bench.Document");
  private static final Duration READY = Duration.ofMinutes(1);

  private final IAppStorage app;
  private final AppPartitions partitions;
  private final CommandProcessor processor;
  private long next;

  /**
   * @param group the most commands that share one commit
   */
  PipelineUnderTest(BenchApps apps, int level, int group) {
    String name = "bench-" + level + "-" + group + "-" + Long.toHexString(System.nanoTime());
    app = apps.create(name, TrustLevel.of(level));
    PipelineConfig config =
        PipelineConfig.builder(SequenceTypes.builder().platform(KIND).build())
            .trustLevel(TrustLevel.of(level))
            .groupLimit(group)
            .queueLimit(MOST_WAITING)
            .patience(READY)
            .build();
    partitions = new AppPartitions(app, config);
    processor = partitions.deploy(0);
    if (!partitions.sequencer(0).awaitReady(READY)) {
      throw new IllegalStateException("not ready: " + partitions.status(0));
    }
  }

  private Command command() {
    long wsid = next++ % WORKSPACES;
    return Command.named("Put", KIND, wsid).create(DOCUMENT, 1, "text", "some content").build();
  }

  /** Each command after the answer to the one before; answers the nanoseconds it all took. */
  long single(int commands, Histogram latencies) {
    long started = System.nanoTime();
    for (int i = 0; i < commands; i++) {
      long before = System.nanoTime();
      processor.execute(command());
      latencies.recordValue(System.nanoTime() - before);
    }
    return System.nanoTime() - started;
  }

  /** All commands at once; answers the nanoseconds until the last answer. */
  long together(int commands) {
    List<CompletableFuture<CommandReply>> answers = new ArrayList<>(commands);
    long started = System.nanoTime();
    for (int i = 0; i < commands; i++) {
      answers.add(processor.submit(command()));
    }
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
    return System.nanoTime() - started;
  }

  @Override
  public void close() {
    partitions.close();
    app.close();
  }
}
