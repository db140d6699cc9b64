package io.tidemark.storage.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.spi.StorageUri;
import io.tidemark.spi.WLogRow;
import io.tidemark.testservers.PostgresAddress;
import io.tidemark.testservers.PostgresServer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A shared server, names nobody else uses, and rows to write. */
final class Fixture {
  static final PostgresServer SERVER = PostgresServer.shared(18);
  static final PostgresStorageDriver DRIVER = new PostgresStorageDriver();
  static final int KIND = 1;

  private static final AtomicLong NAMES = new AtomicLong();

  /** Test servers run without fsync; that this is told is tested once, in OpeningTest. */
  private static final Logger SETTINGS = Logger.getLogger(Settings.class.getName());

  static {
    SETTINGS.setLevel(Level.OFF);
  }

  private Fixture() {}

  static String newName(String prefix) {
    return prefix + "_" + ProcessHandle.current().pid() + "_" + NAMES.incrementAndGet();
  }

  static StorageUri uri(int port, String application, String options) {
    return StorageUri.parse(
        "postgres://postgres@127.0.0.1:" + port + "/postgres?app=" + application + options);
  }

  static IAppStorage open(String application, @Nullable Layout layout) {
    return open(SERVER, application, layout);
  }

  static IAppStorage open(PostgresServer server, String application, @Nullable Layout layout) {
    return DRIVER.open(uri(server.port(), application, ""), layout);
  }

  static IAppStorage open(PostgresAddress server, String application, @Nullable Layout layout) {
    PostgresStorageConfig config =
        PostgresStorageConfig.builder(server.host(), "postgres", server.user())
            .port(server.port())
            .password(server.password())
            .build();
    return DRIVER.open(config, application, layout);
  }

  static IAppStorage openNew() {
    return open(newName("app"), Layout.of(4));
  }

  static PostgresStorageConfig config(int port) {
    return PostgresStorageConfig.builder("127.0.0.1", "postgres", "postgres").port(port).build();
  }

  static CountingSource countingSource() {
    return new CountingSource(Connections.driver(config(SERVER.port())));
  }

  static PLogEvent event(long offset) {
    return event(offset, "event " + offset);
  }

  static PLogEvent event(long offset, String payload) {
    return event(UUID.randomUUID(), offset, payload);
  }

  static PLogEvent event(UUID writeId, long offset, String payload) {
    EventHeader header =
        new EventHeader(
            writeId,
            offset,
            7,
            KIND,
            offset,
            false,
            List.of(new SequenceTouch(4, 1, offset, false)));
    return new PLogEvent(offset, header, payload.getBytes(UTF_8));
  }

  static WLogRow wlog(long wlogOffset, long plogOffset, String payload) {
    return new WLogRow(7, wlogOffset, plogOffset, payload.getBytes(UTF_8));
  }

  static RecordRow record(long recordId, long plogOffset, boolean isNew, String data) {
    return new RecordRow(7, recordId, plogOffset, isNew, data.getBytes(UTF_8));
  }
}
