package io.tidemark.pipeline;

import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.List;

/** An event that is ready for the log, with everything it implies. */
record BuiltEvent(
    PLogEvent event, EventContent content, List<RecordRow> records, CommandReply reply) {

  WLogRow wlog() {
    return new WLogRow(
        event.header().wsid(), event.header().wlogOffset(), event.offset(), event.payload());
  }

  Event view() {
    return new Event(
        event.offset(), event.header().wsid(), event.header().wlogOffset(), false, content);
  }
}
