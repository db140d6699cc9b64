package io.tidemark.pipeline;

import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.PLogEvent;
import java.util.ArrayList;
import java.util.List;

/** Reads logs as events, in parts of bounded size. */
final class EventReader {
  private static final int PAGE_EVENTS = 100;
  private static final long PAGE_BYTES = 1 << 20;

  private EventReader() {}

  /** Whether an event has something to show; a floor has not. */
  static boolean isShown(PLogEvent event) {
    return event.header().wlogOffset() != 0;
  }

  static Subscription.Page plogPage(IPartitionReader reader, long from) {
    List<Event> events = new ArrayList<>();
    List<Long> offsets = new ArrayList<>();
    long[] nextAndBytes = {from, 0};
    if (from <= reader.logEnd()) {
      reader.readPLog(
          from,
          event -> {
            if (isShown(event)) {
              events.add(Event.of(event));
              offsets.add(event.offset());
            }
            nextAndBytes[0] = event.offset() + 1;
            nextAndBytes[1] += event.payload().length;
            return event.offset() - from < PAGE_EVENTS && nextAndBytes[1] < PAGE_BYTES;
          });
    }
    return new Subscription.Page(events, offsets, nextAndBytes[0]);
  }

  static Subscription.Page wlogPage(IPartitionReader reader, long wsid, long from) {
    List<Event> events = new ArrayList<>();
    List<Long> offsets = new ArrayList<>();
    long[] nextAndBytes = {from, 0};
    reader.readWLog(
        wsid,
        from,
        row -> {
          events.add(Event.of(row));
          offsets.add(row.wlogOffset());
          nextAndBytes[0] = row.wlogOffset() + 1;
          nextAndBytes[1] += row.payload().length;
          return events.size() < PAGE_EVENTS && nextAndBytes[1] < PAGE_BYTES;
        });
    return new Subscription.Page(events, offsets, nextAndBytes[0]);
  }
}
