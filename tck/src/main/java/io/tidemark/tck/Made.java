package io.tidemark.tck;

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

/** What the rules write and read. */
final class Made {
  static final int KIND = 3;
  static final int SEQ = 256;
  static final int OTHER_SEQ = 257;

  private Made() {}

  /** An event of a write of its own. */
  static PLogEvent event(long wsid, long offset) {
    return event(wsid, offset, offset, "event " + offset);
  }

  static PLogEvent event(long wsid, long offset, long groupFirst, String payload) {
    return event(wsid, offset, groupFirst, bytes(payload));
  }

  static PLogEvent event(long wsid, long offset, long groupFirst, byte[] payload) {
    List<SequenceTouch> touches = List.of(new SequenceTouch(SEQ, 1, offset, false));
    EventHeader header =
        new EventHeader(UUID.randomUUID(), groupFirst, wsid, KIND, offset, false, touches);
    return new PLogEvent(offset, header, payload);
  }

  /** The events {@code first} to {@code last}, as one group. */
  static List<PLogEvent> group(long wsid, long first, long last) {
    List<PLogEvent> group = new ArrayList<>();
    for (long offset = first; offset <= last; offset++) {
      group.add(event(wsid, offset, first, "event " + offset));
    }
    return group;
  }

  static WLogRow wlog(long wsid, long wlogOffset, long plogOffset, String payload) {
    return new WLogRow(wsid, wlogOffset, plogOffset, bytes(payload));
  }

  static RecordRow created(long wsid, long id, long plogOffset, String data) {
    return new RecordRow(wsid, id, plogOffset, true, bytes(data));
  }

  static RecordRow updated(long wsid, long id, long plogOffset, String data) {
    return new RecordRow(wsid, id, plogOffset, false, bytes(data));
  }

  static SeqValues value(long wsid, int seqId, long number) {
    return new SeqValues().add(wsid, seqId, number);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static List<PLogEvent> plog(ILogReader reader) {
    return plog(reader, 1);
  }

  static List<PLogEvent> plog(ILogReader reader, long from) {
    List<PLogEvent> events = new ArrayList<>();
    reader.readPLog(from, events::add);
    return events;
  }

  static List<WLogRow> wlog(ILogReader reader, long wsid) {
    List<WLogRow> rows = new ArrayList<>();
    reader.readWLog(wsid, 1, rows::add);
    return rows;
  }
}
