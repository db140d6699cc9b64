package io.tidemark.pipeline;

import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.ArrayList;
import java.util.List;

/** Commands whose events share one log write. At most one of each workspace. */
final class Group {
  final List<Pending> commands = new ArrayList<>(1);
  final List<BuiltEvent> events = new ArrayList<>(1);
  private long bytes;

  /** Whether the events turned out to be in the log; said by recovery where it was unknown. */
  volatile boolean logged;

  boolean isEmpty() {
    return commands.isEmpty();
  }

  int size() {
    return commands.size();
  }

  long bytes() {
    return bytes;
  }

  void add(Pending command, BuiltEvent event) {
    commands.add(command);
    events.add(event);
    bytes += event.event().size();
  }

  PLogEvent first() {
    return events.get(0).event();
  }

  PLogEvent last() {
    return events.get(events.size() - 1).event();
  }

  List<PLogEvent> plogEvents() {
    List<PLogEvent> all = new ArrayList<>(events.size());
    for (BuiltEvent built : events) {
      all.add(built.event());
    }
    return all;
  }

  List<RecordRow> records() {
    if (events.size() == 1) {
      return events.get(0).records();
    }
    List<RecordRow> all = new ArrayList<>();
    for (BuiltEvent built : events) {
      all.addAll(built.records());
    }
    return all;
  }

  List<WLogRow> wlog() {
    List<WLogRow> all = new ArrayList<>(events.size());
    for (BuiltEvent built : events) {
      all.add(built.wlog());
    }
    return all;
  }

  CommitGroup commitGroup() {
    return new CommitGroup(plogEvents(), records(), wlog());
  }
}
