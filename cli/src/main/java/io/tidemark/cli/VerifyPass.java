package io.tidemark.cli;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.SystemSequences;
import io.tidemark.cli.PartitionVerifier.Span;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.spi.WLogRow;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * One pass over a partition: folds the log for the workspaces of one hash class, then compares what
 * is stored with the fold.
 */
final class VerifyPass {
  /** Ends a pass that would hold too much; more passes hold less each. */
  static final class TooMuch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooMuch() {
      super(null, null, false, false);
    }
  }

  private record Key(long wsid, long id) {}

  private record Version(long plogOffset, long hash) {}

  /** Last numbers: of the log before the stored offset, and of all of it. */
  private static final class Numbers {
    private long beforeStored;
    private long atEnd;
    private boolean stored;
  }

  private final PartitionVerifier owner;
  private final IPartitionReader reader;
  private final Span span;
  private final int passes;
  private final int pass;
  private final Verdict verdict = new Verdict();
  private final Map<Key, Numbers> numbers = new HashMap<>();
  private final Map<Long, Tally> expectedWLog = new HashMap<>();
  private final Map<Key, Version> records = new HashMap<>();

  /** Offsets of events taken out of application: whether their rows are there is left open. */
  private final Set<Long> takenOut = new HashSet<>();

  private boolean foreignPayloads;
  private long events;
  private long rows;
  private long storedNumbers;

  VerifyPass(PartitionVerifier owner, IPartitionReader reader, Span span, int passes, int pass) {
    this.owner = owner;
    this.reader = reader;
    this.span = span;
    this.passes = passes;
    this.pass = pass;
  }

  Verdict run(LongConsumer progress) {
    try {
      if (span.logEnd() > 0) {
        reader.readPLog(
            1,
            event -> {
              fold(event);
              progress.accept(event.offset());
              return event.offset() < span.logEnd();
            });
      }
    } catch (StorageCorruptedException e) {
      if (pass == 0) {
        verdict.add(
            owner.violation(
                "I4", "PLog", String.valueOf(e.getMessage()), PartitionVerifier.RESTORE));
        verdict.skip("I21", "the log cannot be read to its end");
        verdict.skip("I5, I6", "the log cannot be read to its end");
      }
      verdict.counted(events, 0, 0);
      return verdict;
    }
    compareNumbers();
    if (foreignPayloads) {
      verdict.skip("I12, I21", "payloads that are not the pipeline's say nothing of rows");
    } else {
      compareWLog();
      compareRecords();
    }
    verdict.counted(pass == 0 ? events : 0, rows, storedNumbers);
    return verdict;
  }

  private boolean isOurs(long wsid) {
    return Long.remainderUnsigned(Tally.mix(wsid), passes) == pass;
  }

  private boolean isOurs(long wsid, long recordId) {
    return Long.remainderUnsigned(Tally.mix(Tally.mix(wsid) + recordId), passes) == pass;
  }

  /** Not the last group, nothing later, and no event that was taken out. */
  private boolean isJudged(long plogOffset) {
    return plogOffset <= span.settledEnd() && !takenOut.contains(plogOffset);
  }

  private void mayHold() {
    if (numbers.size() + expectedWLog.size() + records.size() + takenOut.size()
        > owner.mostEntries()) {
      throw new TooMuch();
    }
  }

  private void fold(PLogEvent event) {
    events++;
    EventHeader header = event.header();
    if (header.corrupted()) {
      takenOut.add(event.offset());
    }
    if (isOurs(header.wsid())) {
      owner.requireHere(verdict, event.key(), header.wsid());
      count(header.wsid(), SystemSequences.WORKSPACE_KIND, header.wsKind(), event);
      for (SequenceTouch touch : header.touches()) {
        checkTouch(touch, event);
        count(header.wsid(), touch.seqId(), touch.last(), event);
      }
    }
    Implications.Rows implied = owner.implied(event);
    if (implied == null) {
      foreignPayloads = true;
      return;
    }
    WLogRow row = implied.wlog();
    if (row != null && event.offset() <= span.settledEnd() && isOurs(row.wsid())) {
      expectedWLog
          .computeIfAbsent(row.wsid(), wsid -> new Tally())
          .add(row.wlogOffset(), row.plogOffset(), row.payload());
    }
    for (RecordRow record : implied.records()) {
      if (event.offset() <= span.settledEnd() && isOurs(record.wsid(), record.recordId())) {
        records.put(
            new Key(record.wsid(), record.recordId()),
            new Version(record.plogOffset(), Tally.hash(0, 0, record.data())));
      }
    }
    mayHold();
  }

  private void count(long wsid, int seqId, long last, PLogEvent event) {
    Numbers found = numbers.computeIfAbsent(new Key(wsid, seqId), key -> new Numbers());
    found.atEnd = Math.max(found.atEnd, last);
    if (event.offset() < span.storedOffset()) {
      found.beforeStored = Math.max(found.beforeStored, last);
    }
  }

  private void checkTouch(SequenceTouch touch, PLogEvent event) {
    long wsid = event.header().wsid();
    Numbers before = numbers.get(new Key(wsid, touch.seqId()));
    long previous = before == null ? 0 : before.atEnd;
    String problem = owner.gapOrRepeat(event.header().wsKind(), touch, previous);
    if (problem != null) {
      verdict.add(
          owner.violation(
              touch.last() <= previous ? "I1" : "I2",
              event.key() + ", " + sequence(wsid, touch.seqId()),
              problem,
              "numbers in the log cannot be changed; find out who wrote this event"));
    }
  }

  private void compareNumbers() {
    reader.scanNumbers(
        (wsid, seqId, stored) -> {
          if (!isOurs(wsid)) {
            return true;
          }
          storedNumbers++;
          Numbers expected = numbers.get(new Key(wsid, seqId));
          if (expected == null) {
            owner.suspect(
                verdict, sequence(wsid, seqId), "is stored as " + stored + ", no event has it");
            return true;
          }
          expected.stored = true;
          if (stored < expected.beforeStored) {
            lowered(wsid, seqId, stored, expected.beforeStored);
          } else if (stored > expected.atEnd) {
            owner.suspect(
                verdict,
                sequence(wsid, seqId),
                "is stored as %d, the log has %d".formatted(stored, expected.atEnd));
          }
          return true;
        });
    numbers.forEach(
        (key, expected) -> {
          if (!expected.stored && expected.beforeStored > 0) {
            lowered(key.wsid, (int) key.id, 0, expected.beforeStored);
          }
        });
  }

  private void lowered(long wsid, int seqId, long stored, long needed) {
    verdict.add(
        owner.violation(
            "I5",
            sequence(wsid, seqId),
            "is stored as %d, the log before offset %d has %d"
                .formatted(stored, span.storedOffset(), needed),
            owner.rebuild()));
  }

  private void compareWLog() {
    Map<Long, Tally> found = new HashMap<>();
    reader.scanWLog(
        row -> {
          if (isOurs(row.wsid()) && isJudged(row.plogOffset())) {
            rows++;
            found
                .computeIfAbsent(row.wsid(), wsid -> new Tally())
                .add(row.wlogOffset(), row.plogOffset(), row.payload());
          }
          return true;
        });
    Set<Long> differ = new LinkedHashSet<>();
    expectedWLog.forEach(
        (wsid, tally) -> {
          Tally stored = found.remove(wsid);
          if (stored == null || !stored.sameAs(tally)) {
            differ.add(wsid);
          }
        });
    differ.addAll(found.keySet());
    for (long wsid : differ) {
      owner.explainWLog(verdict, span, wsid, this::isJudged);
    }
  }

  private void compareRecords() {
    reader.scanRecords(
        row -> {
          if (isOurs(row.wsid(), row.recordId())) {
            rows++;
            compare(row);
          }
          return true;
        });
    records.forEach(
        (key, version) ->
            verdict.add(
                owner.violation(
                    "I21",
                    "record %d of workspace %s".formatted(key.id, unsigned(key.wsid)),
                    "is missing; PLog offset %d wrote it".formatted(version.plogOffset),
                    owner.reapply())));
  }

  private void compare(RecordRow row) {
    Version expected = records.remove(new Key(row.wsid(), row.recordId()));
    if (!isJudged(row.plogOffset())) {
      return;
    }
    owner.requireHere(verdict, row.key(), row.wsid());
    if (expected == null) {
      verdict.add(
          owner.violation(
              "I12", row.key(), "no event in the log wrote it", PartitionVerifier.FOREIGN));
    } else if (expected.plogOffset != row.plogOffset()
        || expected.hash != Tally.hash(0, 0, row.data())) {
      verdict.add(
          owner.violation(
              expected.plogOffset > row.plogOffset() ? "I21" : "I12",
              row.key(),
              "is the version of PLog offset %d, expected that of %d%s"
                  .formatted(
                      row.plogOffset(),
                      expected.plogOffset,
                      expected.plogOffset == row.plogOffset() ? " with other content" : ""),
              owner.reapply()));
    }
  }

  static String sequence(long wsid, int seqId) {
    return "sequence " + seqId + " of workspace " + unsigned(wsid);
  }

  static String unsigned(long wsid) {
    return Long.toUnsignedString(wsid);
  }
}
