package io.tidemark.spi;

import java.util.List;

/**
 * A group of events with everything they imply.
 *
 * @param events PLog events with consecutive offsets
 * @param records their records, each (workspace, record) once
 * @param wlog their workspace-log rows
 */
public record CommitGroup(List<PLogEvent> events, List<RecordRow> records, List<WLogRow> wlog) {
  /** Copies. */
  public CommitGroup {
    events = List.copyOf(events);
    records = List.copyOf(records);
    wlog = List.copyOf(wlog);
  }
}
