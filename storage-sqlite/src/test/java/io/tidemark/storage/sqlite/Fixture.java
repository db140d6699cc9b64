package io.tidemark.storage.sqlite;

import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.spi.WLogRow;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What the tests write and read. */
final class Fixture {
  static final String APP = "shop";
  static final long WS = 7;
  static final int KIND = 3;
  static final int SEQ = 256;

  /** Long enough for a loaded machine: nothing waits for it unless something is wrong. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private Fixture() {}

  static IAppStorage open(Path file) {
    return open(file, PATIENCE);
  }

  static IAppStorage open(Path file, Duration timeout) {
    SqliteStorageConfig config = SqliteStorageConfig.of(file, APP).withTimeout(timeout);
    return SqliteStorageDriver.open(config, Layout.of(2));
  }

  /** An event of a write of its own. */
  static PLogEvent event(long offset) {
    return event(offset, bytes("event " + offset));
  }

  static PLogEvent event(long offset, byte[] payload) {
    List<SequenceTouch> touches = List.of(new SequenceTouch(SEQ, 1, offset, false));
    EventHeader header =
        new EventHeader(UUID.randomUUID(), offset, WS, KIND, offset, false, touches);
    return new PLogEvent(offset, header, payload);
  }

  static List<PLogEvent> group(long first, long last) {
    List<PLogEvent> group = new ArrayList<>();
    for (long offset = first; offset <= last; offset++) {
      group.add(event(offset));
    }
    return group;
  }

  static WLogRow wlog(long wlogOffset, long plogOffset, String payload) {
    return new WLogRow(WS, wlogOffset, plogOffset, bytes(payload));
  }

  static RecordRow created(long id, long plogOffset, String data) {
    return new RecordRow(WS, id, plogOffset, true, bytes(data));
  }

  static SeqValues values(long number) {
    return new SeqValues().add(WS, SEQ, number);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static List<PLogEvent> plog(ILogReader reader) {
    List<PLogEvent> events = new ArrayList<>();
    reader.readPLog(1, events::add);
    return events;
  }
}
