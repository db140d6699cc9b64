package io.tidemark.simulation;

import java.util.List;

/** Every known bug of the engine and of storages that the simulation must find. */
public final class SeededBugs {
  private static final String CORE = "io.tidemark.core.";
  private static final String STORE = "io.tidemark.storage.memory.";
  private static final String SIMULATION = "io.tidemark.simulation.";

  private static final Mutation PLAIN_PUT =
      new Mutation(STORE + "SeqDataTable", "batch.number(i) > old", "batch.number(i) != old");

  /** Where a failed group write goes on partition by partition. */
  private static final String SPLIT =
      "taken.forEach(machine ->" + " environment.execute(Lane.RETRY, () -> alone(machine, 0)));";

  private static final List<SeededBug> ALL =
      List.of(
          bug(
              "literal",
              "the algorithm exactly as the newest source document words it",
              edit(
                  SIMULATION + "Owner",
                  "sequencers.open(handle)",
                  "new LiteralSequencer(handle, process)"),
              edit(SIMULATION + "Owner", "choices.choose(6)", "choices.choose(4)")),
          bug(
              "next-instead-of-last",
              "storage keeps the next number while replay gives the last one",
              edit(
                  CORE + "OpenTransaction",
                  "queue.merge(row + cell.inRow, cell.last);",
                  "queue.merge(row + cell.inRow, cell.last + 1);")),
          bug(
              "load-over-queue",
              "a miss is loaded over newer numbers that still wait to be flushed",
              edit(CORE + "Sequencer", "Math.max(numbers[i], queued[i])", "numbers[i]")),
          bug(
              "queue-without-flight",
              "a miss does not see the numbers of a write in flight",
              edit(CORE + "Backlog", "inFlight.overlay(wsid, seqIds, numbers);", "")),
          bug(
              "queue-without-staged",
              "a miss does not see the numbers of its own group",
              edit(CORE + "Backlog", "staged.overlay(wsid, seqIds, numbers);", "")),
          bug(
              "replay-offset-first",
              "replay publishes an event's offset before its numbers",
              edit(
                  CORE + "Machine",
                  "backlog.waiting().mergeAll(events.values()); backlog.cover(events.end());"
                      + " askForFlush(backlog.waiting().size() >= maxUnflushed - maxReplayed);",
                  "backlog.cover(events.end()); flusher.wake(this, true); lock.unlock();"
                      + " environment.newSignal().await(0, 1); lock.lock();"
                      + " backlog.waiting().mergeAll(events.values());")),
          bug(
              "queue-cleared-under-flush",
              "actualize forgets the queue and lets an older write land on a plain put",
              edit(
                  CORE + "Machine",
                  "forgetNumbers(); become(SequencerState.ACTUALIZING);",
                  "forgetNumbers(); backlog.drop();" + " become(SequencerState.ACTUALIZING);"),
              PLAIN_PUT),
          bug("plain-put", "a late or deposed owner's flush lowers a stored number", PLAIN_PUT),
          bug(
              "offset-before-batch",
              "the offset is written before the numbers it covers",
              edit(
                  SIMULATION + "FaultyPartition",
                  "real.writeValuesAndOffset(part, 1)",
                  "real.writeValuesAndOffset(part, nextOffset)")),
          bug(
              "stale-read",
              "a miss reads numbers as they were some time ago",
              edit(
                  SIMULATION + "FaultyPartition",
                  "private boolean fenced;",
                  "private boolean fenced;"
                      + " private final java.util.Map<Long, long[]> old ="
                      + " new java.util.HashMap<>();"),
              edit(
                  SIMULATION + "FaultyPartition",
                  "return fencing( () -> network.read(StorageCall.READ_SEQ_DATA, wsid, () ->"
                      + " real.readNumbers(wsid, seqIds)));",
                  "long[] now = fencing(() -> network.read(StorageCall.READ_SEQ_DATA, () ->"
                      + " real.readNumbers(wsid, seqIds)));"
                      + " long[] before = old.put(wsid, now.clone());"
                      + " return before != null ? before : now;")),
          bug(
              "stale-scan",
              "the scan of the tail misses the last event",
              edit(
                  SIMULATION + "FaultyPartition",
                  "network.step(); network.saw(values, offset); batcher.accept(values, offset);",
                  "network.step(); if (offset < 2 || offset < real.logEnd())"
                      + " { batcher.accept(values, offset); }")),
          bug(
              "no-epoch",
              "an append is not conditional on its epoch",
              edit(
                  STORE + "PartitionState",
                  "requireOwner(term, StorageCall.APPEND); log.check(append);",
                  "log.check(append);")),
          bug(
              "epoch-is-a-number",
              "epochs are compared by number alone, and two owners can have the same one",
              edit(
                  STORE + "PartitionState",
                  "if (meta.epoch.equals(term.epoch())) {",
                  "if (meta.epoch.number() == term.epoch().number()) {"),
              edit(
                  STORE + "PartitionState",
                  "if (meta.epoch.equals(to)) {",
                  "if (meta.epoch.number() == to.number()) {"),
              edit(
                  STORE + "PartitionState",
                  "if (!meta.epoch.equals(from)) {",
                  "if (meta.epoch.number() != from.number()) {")),
          bug(
              "no-settle",
              "an unknown outcome is decided by a read instead of an epoch",
              edit(
                  CORE + "Actualization",
                  "partition.settle(); settled = true;",
                  "settled = true;")),
          bug(
              "partial-group",
              "of a group only the first event is written",
              edit(
                  STORE + "LogState",
                  "append.rows().forEach(plog::put);",
                  "plog.put(append.rows().get(0));")),
          bug(
              "cancel-keeps-numbers",
              "a cancelled transaction leaves a gap",
              edit(
                  CORE + "OpenTransaction",
                  "cells[touched[--touchedCount]].count = 0;",
                  "Cell cell = cells[touched[--touchedCount]]; cell.count = 0;"
                      + " values[base + cell.index] = cell.last;")),
          bug(
              "actualize-keeps-cache",
              "numbers of an event that never was stay in the cache",
              edit(
                  CORE + "Machine",
                  "forgetNumbers(); become(SequencerState.ACTUALIZING);",
                  "backlog.dropStaged();" + " become(SequencerState.ACTUALIZING);")),
          bug(
              "offset-ahead",
              "flush stores the offset of an event that is not in the log yet",
              edit(
                  CORE + "Sequencer",
                  "machine.backlog.cover(machine.nextOffset); machine.askForFlush",
                  "machine.backlog.cover(machine.nextOffset + 1); machine.askForFlush")),
          bug(
              "failed-flush-forgotten",
              "a failed write is taken for done",
              edit(
                  CORE + "Flusher",
                  "if (taken.size() == 1) { retryAlone(taken.get(0), 0, e);",
                  "if (taken.size() == 1) { taken.get(0).batchWritten();")),
          bug(
              "no-backpressure",
              "the backlog has no bound",
              edit(
                  CORE + "Machine",
                  "isFull() ? Refusal.BACKPRESSURE : Refusal.NONE;",
                  "Refusal.NONE;")),
          bug(
              "replay-unbounded",
              "replay is not held back while too many numbers wait",
              edit(
                  CORE + "Machine",
                  "if (backlog.waiting().size() + events.sizeWithoutLast() <= mostWaiting()) {",
                  "if (true) {")),
          bug(
              "no-checkpoint",
              "replay ends without a checkpoint",
              edit(
                  CORE + "Machine",
                  "backlog.cover(events.end()); askForFlush(backlog.waiting().size() >="
                      + " maxUnflushed - maxReplayed); return; } askForFlush(true);",
                  "backlog.cover(events.end()); return; }"),
              edit(
                  CORE + "Machine",
                  "if (backlog.isWaiting()) { askedUrgently = true; flusher.wake(this, true); }",
                  "backlog.drop();")),
          bug(
              "replay-overwrites",
              "replay keeps the last number it read instead of the furthest",
              edit(CORE + "FlushQueue", "if (old < number) {", "if (number > 0) {")),
          bug(
              "merge-by-offset",
              "of two stored numbers the one with the later offset stays",
              edit(
                  STORE + "SeqDataTable",
                  "batch.number(i) > old",
                  "batch.number(i) != old && offset >= nextOffset")),
          bug(
              "late-append-at-put",
              "at trust level 2 an append needs no epoch",
              edit(
                  STORE + "PartitionState",
                  "requireOwner(term, StorageCall.APPEND); log.check(append);",
                  "if (append.mode() != io.tidemark.api.WriteMode.PUT) {"
                      + " requireOwner(term, StorageCall.APPEND); } log.check(append);")),
          bug(
              "flush-into-half-built",
              "an old owner's flush lands in a generation under construction",
              edit(
                  STORE + "PartitionState",
                  "SeqDataTable table = generations.get(generation);"
                      + " if (table != null) { table.write(batch, nextOffset);",
                  "SeqDataTable table = generations.get("
                      + "meta.building != NO_GENERATION ? meta.building : generation);"
                      + " if (table != null) { table.write(batch, nextOffset);")),
          bug(
              "late-switch",
              "a late switch of generations deletes what a newer owner reads",
              edit(STORE + "PartitionState", "requireOwner(term, StorageCall.ACTIVATE); if", "if")),
          bug(
              "group-failure-forgotten",
              "a failed group write counts as done for all but the first partition",
              edit(
                  CORE + "Flusher",
                  SPLIT,
                  "taken.subList(1, taken.size()).forEach(Machine::batchWritten);"
                      + " environment.execute(Lane.RETRY, () -> alone(taken.get(0), 0));")),
          bug(
              "split-loses-one",
              "of a failed group write the last partition is never tried again",
              edit(
                  CORE + "Flusher",
                  SPLIT,
                  "taken.subList(0, taken.size() - 1).forEach("
                      + "machine -> environment.execute(Lane.RETRY, () -> alone(machine, 0)));")),
          bug(
              "group-not-split",
              "a failed group write is tried again as a whole, so a bad partition holds up all",
              edit(
                  CORE + "Flusher",
                  SPLIT,
                  "environment.schedule(backoff.pause(0), Lane.RETRY, () -> write(taken));")),
          bug(
              "offsets-mixed",
              "in a group write all partitions get the offset of the first",
              edit(CORE + "Sequencers", "machine.batchOffset()", "taken.get(0).batchOffset()")),
          bug(
              "application-not-in-key",
              "the application is missing in a key: two of them share offsets and numbers",
              edit(
                  STORE + "MemoryStore",
                  "AppState state = applications.get(application); if (state == null) {"
                      + " if (layout == null)",
                  "AppState state = applications.values().stream().findFirst().orElse(null);"
                      + " if (state == null) { if (layout == null)")),
          bug(
              "budget-per-partition",
              "every partition takes the cache budget of the process for its own",
              edit(
                  CORE + "CacheBudget",
                  "while (now + numbers <= capacity) {",
                  "while (now + numbers <= capacity * members.size()) {")),
          bug(
              "bucket-claims-one",
              "a claim takes one bucket while the old owner has filled it and opens the next",
              edit(
                  SIMULATION + "BucketedPartition",
                  "int bucket = meta.openBucket();"
                      + " while (log.isConditional() && !takeBucket(bucket, to)) { bucket++; }",
                  "if (log.isConditional()) {"
                      + " takeBucket(BucketedLog.bucketOf(Math.max(1, logEnd())), to); }"),
              edit(
                  SIMULATION + "BucketedPartition",
                  "if (!network.unreliable(\"open bucket\", () -> log.openBucket(mine, bucket))) {",
                  "if (mine.number() == 0) {")),
          bug(
              "bucket-opened-blindly",
              "an owner opens a bucket that another has taken",
              edit(
                  SIMULATION + "BucketedPartition",
                  "() -> log.moveBucket(bucket, Epoch.NONE, mine)",
                  "() -> log.moveBucket(bucket, log.bucket(bucket).epoch(), mine)")),
          bug(
              "hinted-tail",
              "the rest of a timed-out group arrives late and counts as the log's end",
              edit(
                  SIMULATION + "BucketedLog",
                  "row.event.offset() != events.size() + 1 || (!conditional && late)",
                  "row.event.offset() != events.size() + 1")));

  private SeededBugs() {}

  /** All of them. */
  public static List<SeededBug> all() {
    return ALL;
  }

  /** The bug of this name. */
  public static SeededBug named(String name) {
    return ALL.stream()
        .filter(bug -> bug.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no seeded bug is named '"
                        + name
                        + "'; known are "
                        + ALL.stream().map(SeededBug::name).toList()));
  }

  private static SeededBug bug(String name, String hazard, Mutation... mutations) {
    return new SeededBug(name, hazard, List.of(mutations));
  }

  private static Mutation edit(String type, String original, String replacement) {
    return new Mutation(type, original, replacement);
  }
}
