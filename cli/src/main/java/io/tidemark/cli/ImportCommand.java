package io.tidemark.cli;

import io.tidemark.api.ISequencer;
import io.tidemark.api.StorageException;
import io.tidemark.api.SystemSequences;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Takes over numbers that another system has used up. */
@Command(
    name = "import",
    description = {
      "Records numbers another system has used up, as events of the log: later draws come after.",
      "Claims each partition it writes to: a process that serves it now is fenced. The whole file "
          + "is checked before anything is written. When interrupted, run it again: what is there "
          + "already is passed over."
    },
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class ImportCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int GROUP = 100;

  @Mixin private Storages storages;
  @Mixin private Output output;

  @Option(
      names = "--file",
      required = true,
      paramLabel = "FILE",
      description = "Lines of wsid,kind,sequence,number; the sequence by its id or name.")
  private Path file;

  @Option(
      names = "--sequences",
      paramLabel = "FILE",
      description = "Custom sequences: lines of kind,id,CREATE SEQUENCE …")
  private @Nullable Path sequences;

  ImportCommand() {}

  /** What was done, as shown. */
  record Done(int workspaces, int logged, int alreadyThere, int partitions) {}

  @Override
  public Integer call() {
    Floors floors = Floors.read(file, sequences);
    try (IAppStorage app = storages.open()) {
      Map<Integer, List<Floors.Workspace>> byPartition = new TreeMap<>();
      for (Floors.Workspace workspace : floors.workspaces().values()) {
        requireKind(app, workspace);
        byPartition
            .computeIfAbsent(app.layout().partitionOf(workspace.wsid()), p -> new ArrayList<>())
            .add(workspace);
      }
      Sequencers sequencers = Sequencers.of(app, SequencerConfig.of(floors.types()));
      int logged = 0;
      try (Progress progress = output.progress("workspaces", floors.workspaces().size())) {
        for (Map.Entry<Integer, List<Floors.Workspace>> each : byPartition.entrySet()) {
          logged += write(app, sequencers, each.getKey(), each.getValue(), progress);
        }
      }
      int all = floors.workspaces().size();
      output.document(new Done(all, logged, all - logged, byPartition.size()));
      output.say(
          "%,d workspaces read, %,d logged, %,d were there already, in %,d partitions",
          all, logged, all - logged, byPartition.size());
      return 0;
    }
  }

  private void requireKind(IAppStorage app, Floors.Workspace workspace) {
    long kind =
        app.reader(app.layout().partitionOf(workspace.wsid()))
            .readNumbers(workspace.wsid(), new int[] {SystemSequences.WORKSPACE_KIND})[0];
    if (kind != 0 && kind != workspace.kind()) {
      throw new IllegalArgumentException(
          "%s line %d: workspace %s is stored with kind %d, not %d"
              .formatted(
                  file,
                  workspace.line(),
                  Long.toUnsignedString(workspace.wsid()),
                  kind,
                  workspace.kind()));
    }
  }

  private int write(
      IAppStorage app,
      Sequencers sequencers,
      int partition,
      List<Floors.Workspace> workspaces,
      Progress progress) {
    IPartitionStorage handle = app.claim(partition, "tidemark import " + Owners.here());
    TrustLevel level = app.layout().trustLevel();
    WriteMode mode = level == null ? WriteMode.INSERT_IF_NOT_EXISTS : level.events();
    try (ISequencer sequencer = sequencers.open(handle)) {
      if (!sequencer.awaitReady(PATIENCE)) {
        throw new IllegalStateException(
            "partition %d did not become ready: %s".formatted(partition, sequencer.status()));
      }
      int logged = 0;
      List<PLogEvent> group = new ArrayList<>();
      for (Floors.Workspace workspace : workspaces) {
        if (isFull(handle, group)) {
          logged += append(handle, sequencer, group, mode, partition, logged);
        }
        stage(sequencer, workspace, group, partition);
        progress.step();
      }
      return logged + append(handle, sequencer, group, mode, partition, logged);
    }
  }

  private static boolean isFull(IPartitionStorage handle, List<PLogEvent> group) {
    if (group.isEmpty()) {
      return false;
    }
    GroupLimit limit = handle.groupLimit(group.get(0).offset());
    long bytes = group.stream().mapToLong(PLogEvent::size).sum();
    return group.size() >= Math.min(GROUP, limit.events()) || bytes * 2 > limit.bytes();
  }

  private static void stage(
      ISequencer sequencer, Floors.Workspace workspace, List<PLogEvent> group, int partition) {
    long offset = sequencer.start(workspace.kind(), workspace.wsid(), PATIENCE);
    if (offset == 0) {
      throw new IllegalStateException(
          "partition %d takes no events: %s, %s"
              .formatted(partition, sequencer.refusal(), sequencer.refusal().remedy()));
    }
    workspace.numbers().forEach(sequencer::observe);
    List<SequenceTouch> touches = new ArrayList<>();
    sequencer.drawn(
        (seqId, count, last, observed) ->
            touches.add(new SequenceTouch(seqId, count, last, observed)));
    if (touches.isEmpty()) { // every number is behind us already
      sequencer.cancel();
      return;
    }
    sequencer.stage();
    long first = group.isEmpty() ? offset : group.get(0).offset();
    EventHeader header =
        new EventHeader(
            UUID.randomUUID(), first, workspace.wsid(), workspace.kind(), 0, false, touches);
    group.add(new PLogEvent(offset, header, new byte[0]));
  }

  private static int append(
      IPartitionStorage handle,
      ISequencer sequencer,
      List<PLogEvent> group,
      WriteMode mode,
      int partition,
      int before) {
    int size = group.size();
    if (size == 0) {
      return 0;
    }
    try {
      handle.append(List.copyOf(group), mode);
    } catch (StorageException e) {
      sequencer.actualize();
      throw new IllegalStateException(
          "partition %d: the log took %d workspaces, then failed; run the import again: %s"
              .formatted(partition, before, e.getMessage()),
          e);
    }
    sequencer.flush();
    group.clear();
    return size;
  }
}
