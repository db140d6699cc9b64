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
import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageUri;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * The whole pipeline (log, record, workspace log) beside plain inserts, in slices that alternate,
 * so that what disturbs the machine disturbs both.
 */
final class StorageRuns {
  private static final int KIND = 1;
  private static final int GROUP = 100;
  private static final int WORKSPACES = 1000;
  private static final RecordType DOCUMENT = RecordType.wdoc("bench.Document");
  private static final Duration READY = Duration.ofSeconds(30);

  private final IStorageDriver driver;
  private final StorageUri uri;
  private final Consumer<String> progress;
  private final int slices;
  private final int commands;
  private long next;

  StorageRuns(IStorageDriver driver, StorageUri uri, boolean quick, Consumer<String> progress) {
    this.driver = driver;
    this.uri = uri;
    this.progress = progress;
    this.slices = quick ? 6 : 20;
    this.commands = quick ? 100 : 500;
  }

  List<Line> run() {
    List<Line> lines = new ArrayList<>();
    try (PlainInserts plain = PlainInserts.into(uri)) {
      for (int level = 0; level <= 2; level++) {
        try (IAppStorage app = open(level);
            AppPartitions partitions = new AppPartitions(app, config(TrustLevel.of(level)))) {
          CommandProcessor processor = partitions.deploy(0);
          if (!partitions.sequencer(0).awaitReady(READY)) {
            throw new IllegalStateException("not ready: " + partitions.status(0));
          }
          lines.addAll(measure(level, plain, processor));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the plain inserts failed: " + e.getMessage(), e);
    }
    return lines;
  }

  private IAppStorage open(int level) {
    Map<String, String> options = new HashMap<>(uri.options());
    options.put("app", "bench-" + level + "-" + Long.toHexString(System.nanoTime()));
    return driver.open(new StorageUri(uri.scheme(), uri.location(), options), Layout.of(1));
  }

  private static PipelineConfig config(TrustLevel level) {
    return PipelineConfig.builder(SequenceTypes.builder().platform(KIND).build())
        .trustLevel(level)
        .groupLimit(GROUP)
        .queueLimit(2 * WORKSPACES)
        .patience(READY)
        .build();
  }

  private List<Line> measure(int level, PlainInserts plain, CommandProcessor processor)
      throws SQLException {
    progress.accept("one command per commit, trust level " + level);
    Histogram inserts = new Histogram(3);
    Histogram answers = new Histogram(3);
    plain.single(commands, new Histogram(3));
    single(processor, new Histogram(3));
    double[] e1 = new double[slices];
    double[] alone = new double[slices];
    for (int i = 0; i < slices; i++) {
      e1[i] = commands * 1e9 / plain.single(commands, inserts);
      alone[i] = commands * 1e9 / single(processor, answers);
    }
    progress.accept("groups of 100, trust level " + level);
    double[] e100 = new double[slices];
    double[] grouped = new double[slices];
    grouped(processor);
    for (int i = 0; i < slices; i++) {
      e100[i] = WORKSPACES * 1e9 / plain.grouped(WORKSPACES, GROUP);
      grouped[i] = WORKSPACES * 1e9 / grouped(processor);
    }
    Samples base = new Samples(e1);
    Samples groups = new Samples(grouped);
    String of = ", trust level " + level;
    return List.of(
        Line.atLeast("one command per commit" + of, new Samples(alone), base, "x (e1)", 0.75),
        Line.atLeast("groups of 100" + of, groups, new Samples(e100), "x (e100)", 0.5),
        Line.atLeast("groups of 100" + of, groups, base, "x (e1)", 12),
        Line.atMost(
            "p99 latency of a lone command" + of,
            new Samples(answers.getValueAtPercentile(99)),
            new Samples(inserts.getValueAtPercentile(99)),
            "x p99 (e1)",
            1.5));
  }

  private Command command() {
    long wsid = next++ % WORKSPACES;
    return Command.named("Put", KIND, wsid).create(DOCUMENT, 1, "text", "some content").build();
  }

  private long single(CommandProcessor processor, Histogram latencies) {
    long started = System.nanoTime();
    for (int i = 0; i < commands; i++) {
      long before = System.nanoTime();
      processor.execute(command());
      latencies.recordValue(System.nanoTime() - before);
    }
    return System.nanoTime() - started;
  }

  private long grouped(CommandProcessor processor) {
    List<CompletableFuture<CommandReply>> answers = new ArrayList<>(WORKSPACES);
    long started = System.nanoTime();
    for (int i = 0; i < WORKSPACES; i++) {
      answers.add(processor.submit(command()));
    }
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
    return System.nanoTime() - started;
  }
}
