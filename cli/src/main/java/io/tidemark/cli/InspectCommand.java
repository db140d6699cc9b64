package io.tidemark.cli;

import io.tidemark.api.SystemSequences;
import io.tidemark.spi.BucketSize;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.PartitionInfo;
import io.tidemark.spi.WLogRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what a storage holds, without claiming anything. */
@Command(
    name = "inspect",
    description = {
      "Shows who owns each partition, how long its log is and how far its numbers are stored.",
      "Reads only: a live owner is not disturbed. Exit code 1: a partition has failed, its stored "
          + "offset is past the log's end, or a bucket is too full."
    },
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class InspectCommand implements Callable<Integer> {
  private static final int FIRST_CUSTOM_SHOWN = SystemSequences.FIRST_CUSTOM;
  private static final int LAST_CUSTOM_SHOWN = 511;
  private static final int WLOG_EVENTS_SHOWN = 10;
  private static final double FULL = 0.8;

  @Mixin private Storages storages;
  @Mixin private Output output;
  @ArgGroup private @Nullable Part part;

  @Option(
      names = "--sequences",
      paramLabel = "FROM-TO",
      defaultValue = FIRST_CUSTOM_SHOWN + "-" + LAST_CUSTOM_SHOWN,
      description =
          "With --workspace: which custom sequences to look at (default: ${DEFAULT-VALUE}).")
  private String sequences;

  InspectCommand() {}

  /** What to look at. */
  static final class Part {
    @Option(names = "--partition", paramLabel = "P", description = "Show this partition alone.")
    private @Nullable Integer partition;

    @Option(
        names = "--workspace",
        paramLabel = "WSID",
        description = "Show this workspace's numbers and its last log rows.")
    private @Nullable String workspace;

    Part() {}
  }

  /** One partition, as shown. */
  record Shown(
      int partition,
      String owner,
      String epoch,
      long logEnd,
      long storedOffset,
      long lag,
      long workspaces,
      long numbers,
      long generation,
      String state,
      List<BucketSize> buckets) {}

  /** One workspace, as shown. */
  record Workspace(String wsid, int partition, List<LastNumber> numbers, List<Row> wlog) {}

  /** One number, as shown. */
  record LastNumber(int sequence, String name, long last) {}

  /** One workspace-log row, as shown. */
  record Row(long wlogOffset, long plogOffset, int bytes) {}

  /** An application, as shown. */
  record Application(
      String application, Layout layout, List<String> capabilities, List<Shown> partitions) {}

  @Override
  public Integer call() {
    try (IAppStorage app = storages.open()) {
      if (part != null && part.workspace != null) {
        return workspace(app, part.workspace);
      }
      int[] partitions =
          part != null && part.partition != null
              ? new int[] {app.layout().requirePartition(part.partition)}
              : IntStream.range(0, app.layout().partitions()).toArray();
      return partitions(app, partitions);
    }
  }

  private int partitions(IAppStorage app, int[] partitions) {
    List<Shown> shown = new ArrayList<>();
    try (Progress progress = output.progress("partitions", partitions.length)) {
      for (int partition : partitions) {
        shown.add(look(app.reader(partition), partition));
        progress.step();
      }
    }
    List<String> capabilities = app.capabilities().stream().map(Enum::name).sorted().toList();
    output.document(new Application(app.application(), app.layout(), capabilities, shown));
    output.say("application '%s', %s", app.application(), app.layout());
    output.say("promises %s%n", String.join(", ", capabilities));
    Table table =
        new Table(
            "partition",
            "owner",
            "epoch",
            "log end",
            "stored offset",
            "lag",
            "workspaces",
            "numbers",
            "state");
    for (Shown one : shown) {
      table.row(
          one.partition,
          one.owner,
          one.epoch,
          one.logEnd,
          one.storedOffset,
          one.lag,
          one.workspaces,
          one.numbers,
          one.state);
    }
    output.say("%s", table);
    boolean crowded = buckets(shown);
    return crowded || shown.stream().anyMatch(one -> !one.state.equals("fine"))
        ? Failures.PROBLEM
        : 0;
  }

  private static Shown look(IPartitionReader reader, int partition) {
    PartitionInfo info = reader.info();
    long stored = reader.readNextPLogOffset(); // before the log's end, which only grows
    long end = reader.logEnd();
    long[] counts = new long[2];
    reader.scanNumbers(
        (wsid, seqId, number) -> {
          counts[seqId == SystemSequences.WORKSPACE_KIND ? 0 : 1]++;
          return true;
        });
    return new Shown(
        partition,
        info.owner().isEmpty() ? "nobody yet" : info.owner(),
        info.epoch().number() + "/" + info.epoch().claimId().toString().substring(0, 8),
        end,
        stored,
        Math.max(0, end + 1 - stored),
        counts[0],
        counts[1],
        info.generation(),
        state(info.failure(), stored, end),
        reader.bucketSizes());
  }

  private static String state(@Nullable PartitionFailure failure, long stored, long end) {
    if (failure != null) {
      return "FAILED at %s: %s; see 'tidemark resolve'".formatted(failure.key(), failure.cause());
    }
    return stored > end + 1 ? "stored offset past the log's end; see 'tidemark rebuild'" : "fine";
  }

  private boolean buckets(List<Shown> shown) {
    Table table = new Table("partition", "bucket", "rows", "bytes", "of limit", "");
    boolean crowded = false;
    boolean any = false;
    for (Shown one : shown) {
      for (BucketSize bucket : one.buckets) {
        boolean full = bucket.bytes() > bucket.limitBytes() * FULL;
        table.row(
            one.partition,
            bucket.name(),
            bucket.rows(),
            bucket.bytes(),
            "%.0f %%".formatted(100.0 * bucket.bytes() / bucket.limitBytes()),
            full ? "TOO FULL" : "");
        crowded |= full;
        any = true;
      }
    }
    if (any) {
      output.say("%n%s", table);
    }
    return crowded;
  }

  private int workspace(IAppStorage app, String text) {
    long wsid = Long.parseUnsignedLong(text);
    int partition = app.layout().partitionOf(wsid);
    IPartitionReader reader = app.reader(partition);
    int[] ids = IntStream.concat(IntStream.rangeClosed(2, 5), custom()).toArray();
    long[] numbers = reader.readNumbers(wsid, ids);
    List<LastNumber> found = new ArrayList<>();
    long lastRow = 0;
    for (int i = 0; i < ids.length; i++) {
      if (numbers[i] != 0) {
        found.add(new LastNumber(ids[i], name(ids[i]), numbers[i]));
        lastRow = ids[i] == SystemSequences.WLOG_OFFSET ? numbers[i] : lastRow;
      }
    }
    List<Row> rows = new ArrayList<>();
    reader.readWLog(
        wsid, Math.max(1, lastRow - WLOG_EVENTS_SHOWN + 1), row -> rows.add(shown(row)));
    output.document(new Workspace(text, partition, found, rows));
    output.say("workspace %s of partition %d%n", text, partition);
    if (found.isEmpty()) {
      output.say("No number of it is stored.");
      return 0;
    }
    Table table = new Table("sequence", "name", "last number");
    found.forEach(number -> table.row(number.sequence, number.name, number.last));
    output.say("%s", table);
    if (!rows.isEmpty()) {
      Table log = new Table("workspace log", "partition log", "bytes");
      rows.forEach(row -> log.row(row.wlogOffset, row.plogOffset, row.bytes));
      output.say("%n%s", log);
    }
    return 0;
  }

  private IntStream custom() {
    String[] ends = sequences.split("-", 2);
    try {
      int from = Integer.parseInt(ends[0]);
      int to = Integer.parseInt(ends[ends.length - 1]);
      if (from >= 1 && from <= to && to <= SystemSequences.MAX_ID) {
        return IntStream.rangeClosed(Math.max(from, FIRST_CUSTOM_SHOWN), to);
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        "--sequences must be FROM-TO within 1-65535, was '" + sequences + "'");
  }

  private static Row shown(WLogRow row) {
    return new Row(row.wlogOffset(), row.plogOffset(), row.payload().length);
  }

  private static String name(int seqId) {
    return seqId < SystemSequences.FIRST_CUSTOM ? SystemSequences.name(seqId) : "custom";
  }
}
