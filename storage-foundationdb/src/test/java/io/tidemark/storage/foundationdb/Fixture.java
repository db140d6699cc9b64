package io.tidemark.storage.foundationdb;

import io.tidemark.spi.EventHeader;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.spi.WLogRow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** What the tests write and read. */
final class Fixture {
  static final String APP = "shop";
  static final long WS = 7;
  static final int KIND = 3;
  static final int SEQ = 256;

  private static final AtomicLong WRITES = new AtomicLong();

  private Fixture() {}

  /** An event of a write of its own. */
  static PLogEvent event(long offset) {
    return event(offset, offset, "event " + offset);
  }

  static PLogEvent event(long offset, long groupFirst, String payload) {
    UUID writeId = new UUID(1, WRITES.incrementAndGet());
    List<SequenceTouch> touches = List.of(new SequenceTouch(SEQ, 1, offset, false));
    EventHeader header = new EventHeader(writeId, groupFirst, WS, KIND, offset, false, touches);
    return new PLogEvent(offset, header, bytes(payload));
  }

  static List<PLogEvent> group(long first, long last) {
    List<PLogEvent> group = new ArrayList<>();
    for (long offset = first; offset <= last; offset++) {
      group.add(event(offset, first, "event " + offset));
    }
    return group;
  }

  static WLogRow wlog(long wlogOffset, long plogOffset, String payload) {
    return new WLogRow(WS, wlogOffset, plogOffset, bytes(payload));
  }

  static RecordRow created(long id, long plogOffset, String data) {
    return new RecordRow(WS, id, plogOffset, true, bytes(data));
  }

  static RecordRow updated(long id, long plogOffset, String data) {
    return new RecordRow(WS, id, plogOffset, false, bytes(data));
  }

  static SeqValues values(long number) {
    return new SeqValues().add(WS, SEQ, number);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static List<PLogEvent> plog(ILogReader reader) {
    List<PLogEvent> events = new ArrayList<>();
    reader.readPLog(1, events::add);
    return events;
  }

  static List<WLogRow> wlog(ILogReader reader, long wsid) {
    List<WLogRow> rows = new ArrayList<>();
    reader.readWLog(wsid, 1, rows::add);
    return rows;
  }
}
