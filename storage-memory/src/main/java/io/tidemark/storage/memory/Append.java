package io.tidemark.storage.memory;

import io.tidemark.api.WriteMode;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.PLogEvent;
import java.util.ArrayList;
import java.util.List;

/** A group of events on its way to the log, already in its stored form. */
record Append(List<LogRow> rows, WriteMode mode) {

  static Append of(List<PLogEvent> group, WriteMode mode, GroupLimit limit) {
    if (group.isEmpty()) {
      throw new IllegalArgumentException("a group holds at least 1 event, was empty");
    }
    List<LogRow> rows = new ArrayList<>(group.size());
    long bytes = 0;
    for (int i = 0; i < group.size(); i++) {
      PLogEvent event = group.get(i);
      if (i > 0 && event.offset() - 1 != group.get(i - 1).offset()) {
        throw new IllegalArgumentException(
            "offsets of a group are consecutive, was "
                + (group.get(i - 1).offset() + " and then " + event.offset()));
      }
      bytes += event.size();
      rows.add(LogRow.of(event));
    }
    if (group.size() > 1 && (group.size() > limit.events() || bytes > limit.bytes())) {
      throw new IllegalArgumentException(
          "a group holds at most %d events and %d bytes, was %d events and %d bytes"
              .formatted(limit.events(), limit.bytes(), group.size(), bytes));
    }
    return new Append(rows, mode);
  }

  long first() {
    return rows.get(0).offset();
  }
}
