package io.tidemark.storage.postgres;

import io.tidemark.api.WriteMode;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What one statement writes: events, the records that are new or updated, and workspace-log rows.
 * Rows are sorted by key, so that two owners that write the same ones do not deadlock.
 */
record Group(
    List<PLogEvent> events,
    WriteMode eventMode,
    List<RecordRow> newRecords,
    WriteMode newRecordMode,
    List<RecordRow> updatedRecords,
    List<WLogRow> wlog) {

  private static final Comparator<RecordRow> BY_RECORD =
      Comparator.comparingLong(RecordRow::wsid).thenComparingLong(RecordRow::recordId);
  private static final Comparator<WLogRow> BY_WLOG =
      Comparator.comparingLong(WLogRow::wsid).thenComparingLong(WLogRow::wlogOffset);

  static Group of(
      List<PLogEvent> events,
      WriteMode eventMode,
      List<RecordRow> records,
      WriteMode newRecordMode,
      List<WLogRow> wlog) {
    List<RecordRow> created = new ArrayList<>(records.size());
    List<RecordRow> updated = new ArrayList<>();
    for (RecordRow row : sortedRecords(records)) {
      (row.isNew() ? created : updated).add(row);
    }
    return new Group(events, eventMode, created, newRecordMode, updated, sortedWLog(wlog));
  }

  private static List<RecordRow> sortedRecords(List<RecordRow> records) {
    if (records.size() < 2) {
      return records;
    }
    List<RecordRow> sorted = new ArrayList<>(records);
    sorted.sort(BY_RECORD);
    for (int i = 1; i < sorted.size(); i++) {
      if (BY_RECORD.compare(sorted.get(i - 1), sorted.get(i)) == 0) {
        throw twice(sorted.get(i).key());
      }
    }
    return sorted;
  }

  private static List<WLogRow> sortedWLog(List<WLogRow> rows) {
    for (WLogRow row : rows) {
      requireOffset("wlogOffset", row.wlogOffset());
    }
    if (rows.size() < 2) {
      return rows;
    }
    List<WLogRow> sorted = new ArrayList<>(rows);
    sorted.sort(BY_WLOG);
    for (int i = 1; i < sorted.size(); i++) {
      if (BY_WLOG.compare(sorted.get(i - 1), sorted.get(i)) == 0) {
        throw twice(sorted.get(i).key());
      }
    }
    return sorted;
  }

  private static IllegalArgumentException twice(String key) {
    return new IllegalArgumentException("a call writes a row once, " + key + " occurs twice");
  }

  /** The same without its events: they are in the log already. */
  Group withoutEvents() {
    return new Group(List.of(), eventMode, newRecords, newRecordMode, updatedRecords, wlog);
  }

  boolean isEmpty() {
    return events.isEmpty() && newRecords.isEmpty() && updatedRecords.isEmpty() && wlog.isEmpty();
  }

  long first() {
    return events.get(0).offset();
  }

  long last() {
    return events.get(events.size() - 1).offset();
  }

  /** Refuses events that are not a group. */
  static List<PLogEvent> requireGroup(List<PLogEvent> events, GroupLimit limit) {
    if (events.isEmpty()) {
      throw new IllegalArgumentException("a group holds at least 1 event, was empty");
    }
    long bytes = 0;
    for (int i = 0; i < events.size(); i++) {
      PLogEvent event = events.get(i);
      if (i > 0 && event.offset() - 1 != events.get(i - 1).offset()) {
        throw new IllegalArgumentException(
            "offsets of a group are consecutive, was "
                + (events.get(i - 1).offset() + " and then " + event.offset()));
      }
      bytes += event.size();
    }
    if (events.size() > 1 && (events.size() > limit.events() || bytes > limit.bytes())) {
      throw new IllegalArgumentException(
          "a group holds at most %d events and %d bytes, was %d events and %d bytes"
              .formatted(limit.events(), limit.bytes(), events.size(), bytes));
    }
    return events;
  }

  static long requireOffset(String name, long offset) {
    if (offset < 1) {
      throw new IllegalArgumentException(name + " must be >= 1, was " + offset);
    }
    return offset;
  }
}
