package io.tidemark.storage.sqlite;

import io.tidemark.api.WriteMode;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.PLogEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A group of events on its way to the log, encoded before any lock is taken. */
record Append(List<Entry> entries, WriteMode mode) {
  static final GroupLimit LIMIT = new GroupLimit(1000, 4 << 20);

  /** An event in its stored form. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(long offset, UUID writeId, byte[] bytes) {}

  static Append of(List<PLogEvent> group, WriteMode mode) {
    if (group.isEmpty()) {
      throw new IllegalArgumentException("a group holds at least 1 event, was empty");
    }
    List<Entry> entries = new ArrayList<>(group.size());
    long size = 0;
    for (PLogEvent event : group) {
      long expected = group.get(0).offset() + entries.size();
      if (event.offset() != expected) {
        throw new IllegalArgumentException(
            "offsets of a group are consecutive, was "
                + event.offset()
                + " instead of "
                + expected);
      }
      size += event.size();
      entries.add(new Entry(event.offset(), event.header().writeId(), event.toBytes()));
    }
    if (group.size() > 1 && (group.size() > LIMIT.events() || size > LIMIT.bytes())) {
      throw new IllegalArgumentException(
          "a group holds at most %d events and %d bytes, was %d events and %d bytes"
              .formatted(LIMIT.events(), LIMIT.bytes(), group.size(), size));
    }
    return new Append(entries, mode);
  }

  long first() {
    return entries.get(0).offset();
  }

  long last() {
    return entries.get(entries.size() - 1).offset();
  }
}
