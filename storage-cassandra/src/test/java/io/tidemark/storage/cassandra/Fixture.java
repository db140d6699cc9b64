package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.spi.WLogRow;
import io.tidemark.testservers.CassandraAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** One real node and one session for all tests of the JVM, and what the tests write and read. */
final class Fixture {
  static final String KEYSPACE = "tidemark_test";
  static final long WS = 7;
  static final int KIND = 3;
  static final int SEQ = 256;

  /** Small, so that bucket boundaries are crossed often. */
  static final int BUCKET = 4;

  private static final AtomicLong APPLICATIONS = new AtomicLong();
  private static CqlSession session;

  private Fixture() {}

  static CassandraStorageConfig config() {
    CassandraAddress server = CassandraAddress.shared();
    return CassandraStorageConfig.builder(server.dataCentre(), KEYSPACE)
        .contactPoints(List.of(server.address()))
        .replication(Map.of(server.dataCentre(), 1))
        .requestTimeout(Duration.ofSeconds(40))
        .build();
  }

  /** The session all tests share; it ends with the JVM. */
  static synchronized CqlSession session() {
    if (session == null) {
      session = Sessions.open(config());
    }
    return session;
  }

  static String newApplication() {
    return "app" + APPLICATIONS.incrementAndGet();
  }

  static Layout layout(TrustLevel level) {
    return new Layout(2, BUCKET, 3, level);
  }

  static IAppStorage open(String application, Layout layout) {
    return CassandraStorageDriver.open(session(), config(), application, layout);
  }

  /** A new application at this level, with small buckets. */
  static IAppStorage open(TrustLevel level) {
    return open(newApplication(), layout(level));
  }

  /** An event of a write of its own. */
  static PLogEvent event(long offset) {
    return event(offset, offset, "event " + offset);
  }

  static PLogEvent event(long offset, long groupFirst, String payload) {
    List<SequenceTouch> touches = List.of(new SequenceTouch(SEQ, 1, offset, false));
    EventHeader header =
        new EventHeader(UUID.randomUUID(), groupFirst, WS, KIND, offset, false, touches);
    return new PLogEvent(offset, header, bytes(payload));
  }

  static List<PLogEvent> group(long first, long last) {
    List<PLogEvent> group = new ArrayList<>();
    for (long offset = first; offset <= last; offset++) {
      group.add(event(offset, first, "event " + offset));
    }
    return group;
  }

  static WLogRow wlog(long wlogOffset, long plogOffset, String payload) {
    return new WLogRow(WS, wlogOffset, plogOffset, bytes(payload));
  }

  static RecordRow created(long id, long plogOffset, String data) {
    return new RecordRow(WS, id, plogOffset, true, bytes(data));
  }

  static RecordRow updated(long id, long plogOffset, String data) {
    return new RecordRow(WS, id, plogOffset, false, bytes(data));
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

  static List<WLogRow> wlog(ILogReader reader, long wsid) {
    List<WLogRow> rows = new ArrayList<>();
    reader.readWLog(wsid, 1, rows::add);
    return rows;
  }
}
