package io.tidemark.storage.cassandra;

import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;

/** Refuses what a caller must not ask for, before anything is sent. */
final class Requests {
  private Requests() {}

  static void requireGroup(
      List<PLogEvent> group, LongFunction<GroupLimit> limits, WriteSizes sizes) {
    if (group.isEmpty()) {
      throw new IllegalArgumentException("a group holds at least 1 event, was empty");
    }
    long bytes = 0;
    for (int i = 0; i < group.size(); i++) {
      PLogEvent event = group.get(i);
      if (i > 0 && event.offset() - 1 != group.get(i - 1).offset()) {
        throw new IllegalArgumentException(
            "offsets of a group are consecutive, was "
                + (group.get(i - 1).offset() + " and then " + event.offset()));
      }
      sizes.require(event.key(), event.size());
      bytes += event.size();
    }
    GroupLimit limit = limits.apply(group.get(0).offset());
    if (group.size() > limit.events() || (group.size() > 1 && bytes > limit.bytes())) {
      throw new IllegalArgumentException(
          "a group from offset %d holds at most %d events and %d bytes, was %d events and %d bytes"
              .formatted(
                  group.get(0).offset(), limit.events(), limit.bytes(), group.size(), bytes));
    }
  }

  private record Key(long wsid, long number) {}

  static void requireWLog(List<WLogRow> rows, WriteSizes sizes) {
    Set<Key> seen = new HashSet<>();
    for (WLogRow row : rows) {
      CassandraLogReader.requireOffset("wlogOffset", row.wlogOffset());
      sizes.require(row.key(), row.payload().length);
      CassandraLogReader.requireOffset("plogOffset", row.plogOffset());
      requireNew(seen.add(new Key(row.wsid(), row.wlogOffset())), row.key());
    }
  }

  static void requireRecords(List<RecordRow> rows) {
    Set<Key> seen = new HashSet<>();
    for (RecordRow row : rows) {
      CassandraLogReader.requireOffset("plogOffset", row.plogOffset());
      requireNew(seen.add(new Key(row.wsid(), row.recordId())), row.key());
    }
  }

  private static void requireNew(boolean isNew, String key) {
    if (!isNew) {
      throw new IllegalArgumentException("a call writes a row once, " + key + " occurs twice");
    }
  }
}
