package io.tidemark.cli;

import io.tidemark.spi.Cancellation;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.SeqValues;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes a partition's numbers anew from its log. */
@Command(
    name = "rebuild",
    description = {
      "Reads a partition's whole log, writes its numbers into a new generation, and switches to it.",
      "Claims the partition: a process that serves it now is fenced and must be started again. "
          + "When interrupted, run it again: it goes on where it stopped."
    },
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class RebuildCommand implements Callable<Integer> {
  /** Numbers held before they are written. */
  private static final int BATCH = 20_000;

  @Mixin private Storages storages;
  @Mixin private Output output;

  @Option(
      names = "--partition",
      required = true,
      paramLabel = "P",
      description = "The partition to rebuild.")
  private int partition;

  RebuildCommand() {}

  /** What was done, as shown. */
  record Done(int partition, long generation, long fromOffset, long logEnd, long numbersWritten) {}

  private record Key(long wsid, int seqId) {}

  @Override
  public Integer call() {
    try (IAppStorage app = storages.open()) {
      IPartitionStorage handle =
          app.claim(app.layout().requirePartition(partition), "tidemark rebuild " + Owners.here());
      ISeqGeneration generation = handle.rebuild();
      long from = generation.nextOffset();
      long end = handle.logEnd();
      long written;
      try (Progress progress = output.progress("events", end - from + 1)) {
        Batch batch = new Batch(generation);
        handle.actualizeSequencesFromPLog(
            from,
            Cancellation.NEVER,
            (values, offset) -> {
              batch.add(values, offset);
              progress.at(offset - from + 1);
            });
        batch.write();
        written = batch.written;
      }
      generation.activate();
      output.document(new Done(partition, generation.generation(), from, end, written));
      output.say(
          "partition %d: generation %d is in use, built from PLog offsets %d to %d (%,d numbers written)",
          partition, generation.generation(), from, end, written);
      return 0;
    }
  }

  /** Merges what was read, so that a number is written once per batch. */
  private static final class Batch {
    private final ISeqGeneration generation;
    private final Map<Key, Long> numbers = new HashMap<>();
    private long nextOffset;
    private long written;

    Batch(ISeqGeneration generation) {
      this.generation = generation;
      this.nextOffset = generation.nextOffset();
    }

    void add(SeqValues values, long offset) {
      for (int i = 0; i < values.size(); i++) {
        numbers.merge(new Key(values.wsid(i), values.seqId(i)), values.number(i), Math::max);
      }
      nextOffset = offset + 1;
      if (numbers.size() >= BATCH) {
        write();
      }
    }

    void write() {
      SeqValues batch = new SeqValues(numbers.size());
      numbers.forEach((key, number) -> batch.add(key.wsid, key.seqId, number));
      generation.write(batch, nextOffset);
      written += batch.size();
      numbers.clear();
    }
  }
}
