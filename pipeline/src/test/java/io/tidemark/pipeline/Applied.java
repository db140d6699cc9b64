package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the log implies, compared with what is stored. */
final class Applied {
  private Applied() {}

  /** I21: records and workspace logs equal the fold of the log. */
  static void assertExactlyOnce(IPartitionReader reader) {
    Map<String, String> expected = new HashMap<>();
    reader.readPLog(
        1,
        event -> {
          if (!event.header().corrupted() && event.header().wlogOffset() != 0) {
            Event view = Event.of(event);
            for (Cud cud : view.content().cuds()) {
              RecordRow row =
                  new RecordRow(
                      view.wsid(),
                      cud.id(),
                      event.offset(),
                      false,
                      new StoredRecord(cud.type(), cud.fields()).toBytes());
              expected.put(row.key(), event.offset() + " " + row.hashCode());
            }
            WLogRow row =
                new WLogRow(view.wsid(), view.wlogOffset(), event.offset(), event.payload());
            expected.put(row.key(), event.offset() + " " + row.hashCode());
          }
          return true;
        });
    Map<String, String> stored = new HashMap<>();
    reader.scanRecords(
        row -> stored.put(row.key(), row.plogOffset() + " " + row.hashCode()) == null);
    reader.scanWLog(row -> stored.put(row.key(), row.plogOffset() + " " + row.hashCode()) == null);
    assertThat(stored).isEqualTo(expected);
  }

  static List<Event> log(AppPartitions partitions, int partition) {
    List<Event> events = new ArrayList<>();
    partitions.readPLog(partition, 1, events::add);
    return events;
  }
}
