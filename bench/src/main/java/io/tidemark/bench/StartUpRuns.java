package io.tidemark.bench;

import io.tidemark.api.ISequencer;
import io.tidemark.api.TrustLevel;
import io.tidemark.bench.Plot.Axis;
import io.tidemark.bench.Plot.Curve;
import io.tidemark.bench.Plot.Scale;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * How long a start takes, from the first connection to a sequencer that takes transactions, on logs
 * of several lengths whose checkpoint lies 1,000 events back; beside a plain connection that reads
 * 1,000 such events from a table of its own.
 *
 * <p>Each start stores its own checkpoint, so each is followed by another 1,000 events.
 */
final class StartUpRuns {
  /** What counts as independent of the log's length. */
  private static final double NOISE = 1.2;

  private final BenchConfig config;
  private final Findings findings;
  private final BenchApps apps;
  private final long[] sizes;

  StartUpRuns(BenchConfig config, Findings findings) {
    this.config = config;
    this.findings = findings;
    this.apps = new BenchApps(config);
    this.sizes =
        LongStream.of(10_000, 1_000_000, config.events())
            .filter(size -> size <= config.events())
            .sorted()
            .distinct()
            .toArray();
  }

  void run() {
    for (long size : sizes) {
      fill(size);
    }
    findings.begin("start-up on " + config.uri().scheme());
    try (PlainStore plain = PlainStore.of(config.uri())) {
      List<byte[]> tail = new ArrayList<>();
      for (long offset = 1; offset <= StoredLog.TAIL; offset++) {
        tail.add(StoredLog.event(offset, 1).toBytes());
      }
      plain.keep(tail);
      WarmUp.until(Duration.ofSeconds(config.quick() ? 2 : 20), () -> new Round(plain));
      List<Round> rounds = new ArrayList<>();
      for (int i = 0; i < (config.quick() ? 7 : 20); i++) {
        rounds.add(new Round(plain));
      }
      report(rounds);
    }
  }

  private static String app(long size) {
    return "bench-start-" + size;
  }

  private void fill(long size) {
    findings.tell(String.format(Locale.ROOT, "writing a log of %,d events", size));
    long began = System.nanoTime();
    try (IAppStorage app = apps.create(app(size), TrustLevel.LEVEL_0)) {
      IPartitionStorage partition = app.claim(0, "bench");
      long before = partition.logEnd();
      new StoredLog(partition)
          .fill(
              size,
              end -> findings.tell(String.format(Locale.ROOT, "written %,d of %,d", end, size)));
      findings.tell(
          String.format(
              Locale.ROOT,
              "wrote %,d events in %.1f s",
              partition.logEnd() - before,
              (System.nanoTime() - began) / 1e9));
    }
  }

  /** A plain read and a start, in turns, for every length; then the storage without the engine. */
  private final class Round {
    private final double[] plainNanos = new double[sizes.length];
    private final double[] startNanos = new double[sizes.length];
    private final double scanNanos;

    Round(PlainStore plain) {
      for (int i = 0; i < sizes.length; i++) {
        plainNanos[i] = plain.connectAndRead();
        startNanos[i] = start(sizes[i]);
      }
      scanNanos = scan(sizes[sizes.length - 1]);
    }
  }

  private long start(long size) {
    SequencerConfig settings = SequencerConfig.of(StoredLog.TYPES);
    long began = System.nanoTime();
    try (IAppStorage app = apps.open(app(size))) {
      IPartitionStorage partition = app.claim(0, "bench");
      ISequencer sequencer = Sequencers.of(app, settings).open(partition);
      Workloads.ready(sequencer);
      long took = System.nanoTime() - began;
      sequencer.close(Workloads.PATIENCE);
      long stored = partition.readNextPLogOffset();
      if (stored != partition.logEnd() + 1) { // else the next start reads more than a tail
        throw new IllegalStateException(
            "a start on " + partition.logEnd() + " events stored the offset " + stored);
      }
      new StoredLog(partition).appendTail();
      return took;
    }
  }

  /** What the storage alone takes to open and to read the tail. */
  private long scan(long size) {
    long began = System.nanoTime();
    try (IAppStorage app = apps.open(app(size))) {
      long[] events = {0};
      app.reader(0)
          .readPLog(
              app.reader(0).readNextPLogOffset(),
              event -> {
                events[0]++;
                return true;
              });
      long took = System.nanoTime() - began;
      if (events[0] != StoredLog.TAIL) {
        throw new IllegalStateException("the tail has " + events[0] + " events");
      }
      return took;
    }
  }

  private void report(List<Round> rounds) {
    Curve starts = new Curve("a start");
    Curve plains = new Curve("plain connect and read");
    String on = "start-up on " + config.uri().scheme();
    for (int i = 0; i < sizes.length; i++) {
      int at = i;
      double[] start = rounds.stream().mapToDouble(round -> round.startNanos[at]).toArray();
      double[] plain = rounds.stream().mapToDouble(round -> round.plainNanos[at]).toArray();
      findings.add(
          Line.atMost(
                  String.format(Locale.ROOT, "%s, %,d events, tail 1,000", on, sizes[i]),
                  Samples.ratios(start, plain),
                  "x connect + tail scan",
                  2)
              .noting(millis(start) + "; connect + tail scan: " + millis(plain)));
      starts.add((double) sizes[i], millisOf(start));
      plains.add((double) sizes[i], millisOf(plain));
    }
    int last = sizes.length - 1;
    double[] longest = rounds.stream().mapToDouble(round -> round.startNanos[last]).toArray();
    if (last > 0) {
      double[] shortest = rounds.stream().mapToDouble(round -> round.startNanos[0]).toArray();
      findings.add(
          Line.atMost(
                  String.format(Locale.ROOT, "%s, %,d events over %,d", on, sizes[last], sizes[0]),
                  Samples.ratios(longest, shortest),
                  "x",
                  NOISE)
              .noting("up to " + NOISE + " is taken for noise"));
    }
    double[] scan = rounds.stream().mapToDouble(round -> round.scanNanos).toArray();
    double[] plain = rounds.stream().mapToDouble(round -> round.plainNanos[last]).toArray();
    findings.add(
        Line.measured(
                on + ": the storage alone, opened and the tail read",
                Samples.ratios(scan, plain),
                "x connect + tail scan")
            .noting(millis(scan)));
    findings.add(
        new Plot(
            "Start-up against the log's length, " + config.uri().scheme(),
            new Axis("events in the log, checkpoint 1,000 back", Scale.LOG),
            new Axis("ms", Scale.LINEAR),
            List.of(starts.series(), plains.series())));
  }

  private static String millis(double[] nanos) {
    return Line.format(millisOf(nanos).median()) + " ms";
  }

  private static Samples millisOf(double[] nanos) {
    double[] millis = nanos.clone();
    for (int i = 0; i < millis.length; i++) {
      millis[i] /= 1e6;
    }
    return new Samples(millis);
  }
}
