package io.tidemark.simulation;

import io.tidemark.api.SystemSequences;
import io.tidemark.pipeline.CommandReply;
import io.tidemark.pipeline.Cud;
import io.tidemark.pipeline.Event;
import io.tidemark.pipeline.StoredRecord;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.spi.WLogRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checks what the pipeline stored and answered against what its log says. */
final class PipelineChecker {
  /** Which claim attempted an event, and how often that claim had settled before. */
  private record Attempt(int claim, int settles) {}

  private final IPartitionReader reader;
  private final Map<UUID, Attempt> attempts = new HashMap<>();
  private final Map<Integer, Integer> settles = new HashMap<>();
  private final Set<String> refused = new HashSet<>();
  private final Set<Long> projected = new HashSet<>();
  private final List<PLogEvent> log = new ArrayList<>();
  private @Nullable RecordRow foreign;
  private int lastClaim;

  PipelineChecker(IPartitionReader reader) {
    this.reader = reader;
  }

  List<PLogEvent> log() {
    return log;
  }

  /** A row of somebody else's, which must never be overwritten. */
  void planted(RecordRow row) {
    foreign = row;
  }

  boolean isFailed() {
    return reader.info().failure() != null;
  }

  int claimed() {
    return ++lastClaim;
  }

  void attempted(List<PLogEvent> group, int claim) {
    Attempt attempt = new Attempt(claim, settles.getOrDefault(claim, 0));
    group.forEach(event -> attempts.put(event.header().writeId(), attempt));
  }

  void settled(int claim) {
    settles.merge(claim, 1, Integer::sum);
  }

  void projected(Event event) {
    projected.add(event.plogOffset());
  }

  /** A client was told that nothing was logged. */
  void refused(String name) {
    refused.add(name);
  }

  /** A client was told that its command is done. */
  void answered(String name, long wsid, CommandReply reply) {
    refresh();
    long offset = reply.plogOffset();
    if (offset > log.size()) {
      throw new Violation("P-8", name + " was answered with PLog offset " + offset + ", not there");
    }
    Event event = Event.of(log.get((int) offset - 1));
    if (!event.name().equals(name)) {
      throw new Violation("P-8", name + " was answered, but its offset has " + event.name());
    }
    for (Cud cud : event.content().cuds()) {
      RecordRow row = reader.readRecord(wsid, cud.id());
      if (row == null || row.plogOffset() < offset) {
        throw new Violation("P-8", name + " was answered before record " + cud.id() + " was there");
      }
    }
    if (!wlog().containsKey(wlogKey(wsid, reply.wlogOffset()))) {
      throw new Violation("P-8", name + " was answered before its workspace log was written");
    }
    if (!projected.contains(offset)) {
      throw new Violation("P-12", name + " was answered before it was projected");
    }
  }

  private Map<String, WLogRow> wlog() {
    Map<String, WLogRow> rows = new HashMap<>();
    reader.scanWLog(row -> rows.put(wlogKey(row.wsid(), row.wlogOffset()), row) == null);
    return rows;
  }

  private static String wlogKey(long wsid, long offset) {
    return wsid + "/" + offset;
  }

  private void refresh() {
    log.clear();
    reader.readPLog(1, log::add);
  }

  /** After every write: I1, I2, I4, I7, I9, I10, I11, I12, P-7. */
  void checkInstant() {
    List<PLogEvent> before = List.copyOf(log);
    refresh();
    for (int i = 0; i < before.size(); i++) {
      if (i >= log.size()) {
        throw new Violation("I9", before.get(i).key() + " was there and is gone");
      }
      if (!before.get(i).header().writeId().equals(log.get(i).header().writeId())) {
        throw new Violation("I4", before.get(i).key() + " was overwritten");
      }
    }
    for (PLogEvent event : log.subList(before.size(), log.size())) {
      checkNew(event);
    }
    checkNumbers();
    checkGroups();
    checkForeign();
    if (reader.readNextPLogOffset() > log.size() + 1) {
      throw new Violation("I7", "the stored next offset is past the log's end");
    }
  }

  private void checkNew(PLogEvent event) {
    Attempt attempt = attempts.get(event.header().writeId());
    if (attempt == null) {
      throw new Violation("I4", "the log holds an event nobody appended");
    }
    if (attempt.claim < lastClaim) {
      throw new Violation("I11", event.key() + " appeared after a newer claim");
    }
    if (attempt.settles < settles.getOrDefault(attempt.claim, 0)) {
      throw new Violation("I10", event.key() + " appeared after its owner had settled");
    }
  }

  /** From the payloads, not from the headers the engine made. */
  private void checkNumbers() {
    Map<String, Long> last = new HashMap<>();
    for (PLogEvent logged : log) {
      Event event = Event.of(logged);
      follow(last, event, SystemSequences.WLOG_OFFSET, event.wlogOffset(), 1);
      for (Cud cud : event.content().cuds()) {
        if (cud.isNew() && cud.fields().get("explicit") == null) {
          long first =
              cud.type().kind().sequence() == SystemSequences.OWRECORD_ID
                  ? PipelineStory.FIRST_ORDER
                  : 0;
          follow(last, event, cud.type().kind().sequence(), cud.id(), first);
        } else if (cud.isNew()) {
          last.merge(event.wsid() + "/" + cud.type().kind().sequence(), cud.id(), Math::max);
        }
        if (cud.fields().get("invoice") != null) {
          follow(last, event, PipelineStory.INVOICE, cud.fields().number("invoice"), 1);
        }
      }
    }
  }

  /** Numbers rise; those that start at a known first one have no gap either. */
  private static void follow(
      Map<String, Long> last, Event event, int seqId, long number, long first) {
    Long previous = last.put(event.wsid() + "/" + seqId, number);
    if (previous != null && number <= previous) {
      throw new Violation(
          "I1",
          "PLog offset %d: sequence %d of workspace %d gave %d after %d"
              .formatted(event.plogOffset(), seqId, event.wsid(), number, previous));
    }
    if (first != 0 && number != (previous == null ? first : previous + 1)) {
      throw new Violation(
          "I2",
          "PLog offset %d: sequence %d of workspace %d has a gap before %d"
              .formatted(event.plogOffset(), seqId, event.wsid(), number));
    }
  }

  private void checkGroups() {
    Set<String> seen = new HashSet<>();
    for (PLogEvent event : log) {
      if (!seen.add(event.header().groupFirst() + "/" + event.header().wsid())) {
        throw new Violation("P-7", event.key() + " is its workspace's second of one group");
      }
    }
  }

  private void checkForeign() {
    RecordRow row = foreign;
    if (row != null && !row.equals(reader.readRecord(row.wsid(), row.recordId()))) {
      throw new Violation("I12", row.key() + " was somebody else's and is overwritten");
    }
  }

  /** At rest: I6, I21, and that nobody was told less or more than is true. */
  void checkAtRest() {
    checkInstant();
    checkApplied();
    checkSeqData();
    for (PLogEvent logged : log) {
      Event event = Event.of(logged);
      if (refused.contains(event.name())) {
        throw new Violation("P-5", event.name() + " was refused and is in the log");
      }
      if (!projected.contains(event.plogOffset())) {
        throw new Violation("P-13", event.name() + " was never projected");
      }
    }
  }

  private void checkApplied() {
    Map<String, RecordRow> records = new HashMap<>();
    Map<String, WLogRow> rows = new HashMap<>();
    for (PLogEvent logged : log) {
      Event event = Event.of(logged);
      for (Cud cud : event.content().cuds()) {
        byte[] data = new StoredRecord(cud.type(), cud.fields()).toBytes();
        RecordRow row = new RecordRow(event.wsid(), cud.id(), logged.offset(), false, data);
        records.put(row.key(), row);
      }
      rows.put(
          wlogKey(event.wsid(), event.wlogOffset()),
          new WLogRow(event.wsid(), event.wlogOffset(), logged.offset(), logged.payload()));
    }
    Map<String, RecordRow> stored = new HashMap<>();
    reader.scanRecords(row -> stored.put(row.key(), row) == null);
    if (!stored.equals(records)) {
      throw new Violation("I21", "the records are not what the log says");
    }
    if (!wlog().equals(rows)) {
      throw new Violation("I21", "the workspace logs are not what the log says");
    }
  }

  private void checkSeqData() {
    Map<String, Long> expected = new HashMap<>();
    for (PLogEvent event : log) {
      String of = event.header().wsid() + "/";
      expected.put(of + SystemSequences.WORKSPACE_KIND, (long) event.header().wsKind());
      for (SequenceTouch touch : event.header().touches()) {
        expected.merge(of + touch.seqId(), touch.last(), Math::max);
      }
    }
    Map<String, Long> stored = new HashMap<>();
    reader.scanNumbers((wsid, seqId, number) -> stored.put(wsid + "/" + seqId, number) == null);
    if (!stored.equals(expected) || reader.readNextPLogOffset() != log.size() + 1) {
      throw new Violation("I6", "at rest the stored numbers are not what the log says");
    }
  }
}
