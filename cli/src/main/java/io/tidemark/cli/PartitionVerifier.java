package io.tidemark.cli;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.cli.Verdict.Violation;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.PartitionInfo;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.spi.StorageCapability;
import io.tidemark.spi.WLogRow;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks everything stored of one partition against its log, in bounded memory: what does not fit
 * is looked at in several passes, each over the workspaces of one hash class.
 *
 * <p>Reads only, so an owner may go on meanwhile: what lies past the log's end at the beginning is
 * left out, and so is the last group, unless the storage writes a group with all its rows at once.
 */
final class PartitionVerifier {
  static final String RESTORE = "restore the storage from a backup; a log cannot be repaired";
  static final String FOREIGN = "find out who wrote it and remove it";
  private static final int MOST_ENTRIES = 1_000_000;
  private static final int MOST_PASSES = 1 << 16;

  private final IAppStorage app;
  private final IPartitionReader reader;
  private final int partition;
  private final Implications implications;
  private final int mostEntries;
  private final Map<Long, Long> increments = new HashMap<>();
  private boolean atRest;

  PartitionVerifier(IAppStorage app, int partition, Implications implications, int mostEntries) {
    this.app = app;
    this.reader = app.reader(partition);
    this.partition = partition;
    this.implications = implications;
    this.mostEntries = mostEntries;
  }

  /** Verifies every partition, silently. */
  static Verdict verifyAll(IAppStorage app) {
    Verdict verdict = new Verdict();
    for (int partition = 0; partition < app.layout().partitions(); partition++) {
      verdict.addAll(
          new PartitionVerifier(app, partition, Implications.PIPELINE, MOST_ENTRIES)
              .run(offset -> {}));
    }
    return verdict;
  }

  /**
   * The part of the storage one run looks at.
   *
   * @param storedOffset the next offset stored with the numbers
   * @param logEnd the log's end
   * @param settledEnd the end of what must be applied by now
   */
  record Span(long storedOffset, long logEnd, long settledEnd) {}

  Verdict run(LongConsumer progress) {
    Verdict verdict = new Verdict();
    PartitionInfo before = reader.info();
    long stored = reader.readNextPLogOffset(); // before the log's end, which only grows
    long end = reader.logEnd();
    if (before.failure() != null) {
      verdict.add(
          violation(
              "I12",
              before.failure().key(),
              "the partition has failed: " + before.failure().cause(),
              "look at the row, then run 'tidemark resolve'"));
    }
    if (stored > end + 1) {
      verdict.add(
          violation(
              "I7",
              "next offset",
              "is stored as %d, but the log ends at %d".formatted(stored, end),
              rebuild()));
    }
    Span span = new Span(stored, end, settledEnd(end));
    atRest = stored == end + 1;
    if (!atRest) {
      verdict.skip("I6", "numbers of the log's tail are not stored yet");
    }
    if (span.settledEnd() < end) {
      verdict.skip("I21", "the last group may not be applied yet");
    }
    Verdict found = null;
    for (int passes = 1; found == null; passes *= 2) {
      found = inPasses(span, passes, progress);
    }
    if (isChanged(before, end)) {
      verdict.skip("I6", "an owner was at work meanwhile");
      found.withdraw("I6");
    }
    verdict.addAll(found);
    return verdict;
  }

  private boolean isChanged(PartitionInfo before, long end) {
    return reader.logEnd() != end || !reader.info().epoch().equals(before.epoch());
  }

  /** The last group may be under way, unless a group comes with all its rows at once. */
  private long settledEnd(long end) {
    if (end == 0 || app.capabilities().contains(StorageCapability.ATOMIC_COMMIT)) {
      return end;
    }
    AtomicLong first = new AtomicLong(end + 1);
    try {
      reader.readPLog(
          end,
          event -> {
            first.set(event.header().groupFirst());
            return false;
          });
    } catch (StorageCorruptedException e) {
      return end; // the pass over the log names it
    }
    return first.get() - 1;
  }

  private @Nullable Verdict inPasses(Span span, int passes, LongConsumer progress) {
    if (passes > MOST_PASSES) {
      throw new IllegalStateException(
          "more than " + MOST_PASSES + " passes would be needed; give the process more memory");
    }
    Verdict all = new Verdict();
    increments.clear();
    for (int pass = 0; pass < passes; pass++) {
      try {
        all.addAll(new VerifyPass(this, reader, span, passes, pass).run(progress));
      } catch (VerifyPass.TooMuch e) {
        return null;
      }
    }
    return all;
  }

  int mostEntries() {
    return mostEntries;
  }

  Implications.@Nullable Rows implied(PLogEvent event) {
    return implications.of(event);
  }

  Violation violation(String invariant, String key, String problem, String remedy) {
    return new Violation(invariant, partition, key, problem, remedy);
  }

  String rebuild() {
    return "run 'tidemark rebuild --partition " + partition + "'";
  }

  String reapply() {
    return "compare with a backup; if the row was lost, mark the event or write the row by hand";
  }

  /** What SeqData has beyond the log: an abort that leaked, where nobody was at work. */
  void suspect(Verdict verdict, String key, String problem) {
    if (atRest) {
      verdict.add(violation("I6", key, problem, rebuild()));
    }
  }

  void requireHere(Verdict verdict, String key, long wsid) {
    int home = app.layout().partitionOf(wsid);
    if (home != partition) {
      verdict.add(
          violation(
              "I22",
              key,
              "workspace %s belongs to partition %d".formatted(VerifyPass.unsigned(wsid), home),
              FOREIGN));
    }
  }

  /** Numbers of one sequence rise by its increment, which the log itself tells. */
  @Nullable String gapOrRepeat(int wsKind, SequenceTouch touch, long previous) {
    if (touch.last() <= previous) {
      return "gave %d after %d".formatted(touch.last(), previous);
    }
    if (touch.observed() || previous == 0 || touch.count() == 0) {
      return null;
    }
    long step = (touch.last() - previous) / touch.count();
    long known = increments.computeIfAbsent((long) wsKind << 16 | touch.seqId(), key -> step);
    return known * touch.count() == touch.last() - previous
        ? null
        : "%d drawn after %d ended at %d: a gap".formatted(touch.count(), previous, touch.last());
  }

  /** Names the rows of a workspace's log that differ from what its events imply. */
  void explainWLog(Verdict verdict, Span span, long wsid, LongPredicate isJudged) {
    Map<Long, WLogRow> rows = new HashMap<>();
    reader.readWLog(
        wsid,
        1,
        row -> {
          rows.put(row.wlogOffset(), row);
          return rows.size() < mostEntries;
        });
    reader.readPLog(
        1,
        event -> {
          Implications.Rows implied = implied(event);
          WLogRow expected = implied == null ? null : implied.wlog();
          if (expected != null && expected.wsid() == wsid && event.offset() <= span.settledEnd()) {
            WLogRow row = rows.remove(expected.wlogOffset());
            if (row == null) {
              verdict.add(
                  violation(
                      "I21",
                      expected.key(),
                      "is missing; PLog offset %d wrote it".formatted(event.offset()),
                      reapply()));
            } else if (!row.equals(expected)) {
              verdict.add(
                  violation(
                      "I12",
                      row.key(),
                      "is not what PLog offset %d wrote".formatted(event.offset()),
                      FOREIGN));
            }
          }
          return event.offset() < span.logEnd();
        });
    for (WLogRow row : rows.values()) {
      if (isJudged.test(row.plogOffset())) {
        verdict.add(violation("I12", row.key(), "no event in the log wrote it", FOREIGN));
      }
    }
  }
}
