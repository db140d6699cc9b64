package io.tidemark.pipeline;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Applies logged events: records, then projectors, then the workspace logs. Writes are
 * insert-or-equal where the trust level inserts, so applying again changes nothing and a foreign
 * row is a violation; a row of a later event stays. [P-10]
 */
final class Applier {
  private final IPartitionStorage storage;
  private final TrustLevel level;
  private final List<Projector> projectors;

  Applier(IPartitionStorage storage, TrustLevel level, List<Projector> projectors) {
    this.storage = storage;
    this.level = level;
    this.projectors = projectors;
  }

  /** Applies a group that was just appended. */
  void apply(Group group) {
    putRecords(group.records());
    project(group);
    appendWLog(group.wlog());
  }

  private void putRecords(List<RecordRow> rows) {
    write(rows, RecordRow::key, some -> storage.putRecords(some, level.newRecords()));
  }

  private void appendWLog(List<WLogRow> rows) {
    write(rows, WLogRow::key, some -> storage.appendWLog(some, level.events()));
  }

  /**
   * Writes rows at once or, where the storage refuses that, one by one: a row that it refuses by
   * itself would be refused for ever.
   */
  private static <T> void write(List<T> rows, Function<T, String> key, Consumer<List<T>> atOnce) {
    if (rows.isEmpty()) {
      return;
    }
    try {
      atOnce.accept(rows);
    } catch (IllegalArgumentException e) {
      for (T row : rows) {
        try {
          atOnce.accept(List.of(row));
        } catch (IllegalArgumentException cause) {
          throw new UnappliableException(key.apply(row), cause);
        }
      }
    }
  }

  /** Runs the projectors for a group. */
  void project(Group group) {
    if (!projectors.isEmpty()) {
      for (BuiltEvent built : group.events) {
        project(built.view());
      }
    }
  }

  private void project(Event event) {
    for (Projector projector : projectors) {
      projector.project(event);
    }
  }

  /**
   * Applies the log's last group again, whether it was applied before or not. No group of commands
   * is appended before the one before it is applied, so the last one is all that can be missing.
   * [P-9]
   *
   * @return the group; empty for an empty log
   */
  List<PLogEvent> reapply(Cancellation cancellation) {
    List<PLogEvent> tail = tail();
    List<RecordRow> records = new ArrayList<>();
    List<WLogRow> wlog = new ArrayList<>();
    List<Event> views = new ArrayList<>();
    ByteWriter writer = new ByteWriter();
    for (PLogEvent event : tail) {
      if (event.header().corrupted() || event.header().wlogOffset() == 0) {
        continue; // taken out by an operator, or an imported floor: nothing to apply
      }
      Event view = Event.of(event);
      views.add(view);
      records.addAll(AppliedRows.records(event.offset(), view.wsid(), view.content(), writer));
      wlog.add(new WLogRow(view.wsid(), view.wlogOffset(), event.offset(), event.payload()));
    }
    cancellation.check();
    putRecords(records);
    for (Event view : views) {
      cancellation.check();
      project(view);
    }
    appendWLog(wlog);
    return tail;
  }

  /**
   * The events of the log's last group that has something to apply. Floors may follow a group that
   * is not applied yet, because an import applies nothing: they are passed over.
   *
   * @return the group; empty if the log has nothing but floors
   */
  List<PLogEvent> tail() {
    for (long end = storage.logEnd(); end > 0; ) {
      List<PLogEvent> group = groupEndingAt(end);
      if (group.stream().anyMatch(event -> event.header().wlogOffset() != 0)) {
        return group;
      }
      end = group.get(0).offset() - 1;
    }
    return List.of();
  }

  private List<PLogEvent> groupEndingAt(long end) {
    List<PLogEvent> group = read(end, end);
    long first = group.get(0).header().groupFirst();
    return first < end ? read(first, end) : group;
  }

  private List<PLogEvent> read(long from, long to) {
    List<PLogEvent> events = new ArrayList<>();
    storage.readPLog(
        from,
        event -> {
          events.add(event);
          return event.offset() < to;
        });
    return events;
  }
}
