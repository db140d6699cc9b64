package io.tidemark.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IStorageDriver;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageUri;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What opening accepts, refuses and creates. */
final class OpeningTest {
  private static final Layout LAYOUT = Layout.of(2);

  private static String newDatabase() {
    String name = Fixture.newName("database");
    Fixture.SERVER.createDatabase(name);
    return name;
  }

  private static IAppStorage open(String database, String options) {
    String uri =
        "postgres://postgres@127.0.0.1:%d/%s?app=a%s"
            .formatted(Fixture.SERVER.port(), database, options);
    return Fixture.DRIVER.open(StorageUri.parse(uri), LAYOUT);
  }

  private static void execute(String database, String sql) throws SQLException {
    try (Connection connection = Fixture.SERVER.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void driver_isFoundByItsScheme() {
    assertThat(ServiceLoader.load(IStorageDriver.class))
        .anySatisfy(
            driver -> {
              assertThat(driver).isInstanceOf(PostgresStorageDriver.class);
              assertThat(driver.scheme()).isEqualTo("postgres");
              assertThat(PostgresUri.parse(StorageUri.parse(driver.example()))).isNotNull();
            });
  }

  @Test
  void open_aServerThatIsDown_isUnavailable() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    assertThatThrownBy(() -> Fixture.DRIVER.open(Fixture.uri(port, "a", ""), LAYOUT))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("opening the database");
  }

  @Test
  void open_aServerThatSaysNothing_isUnavailableInTime() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(
              () ->
                  Fixture.DRIVER.open(
                      Fixture.uri(mute.getLocalPort(), "a", "&timeoutSeconds=1"), LAYOUT))
          .isInstanceOf(StorageUnavailableException.class);
    }
  }

  @Test
  void open_aDatabaseThatIsNotThere_saysSo() {
    assertThatThrownBy(() -> open("nowhere", ""))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("no such database");
  }

  @Test
  void open_byManyAtOnce_createsTheSchemaOnce() throws Exception {
    String database = newDatabase();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    CountDownLatch together = new CountDownLatch(4);
    try {
      List<Future<Integer>> opened = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        opened.add(
            threads.submit(
                () -> {
                  together.countDown();
                  together.await();
                  try (IAppStorage app = open(database, "")) {
                    app.claim(1, "test");
                    return app.layout().partitions();
                  }
                }));
      }
      for (Future<Integer> one : opened) {
        assertThat(one.get(2, TimeUnit.MINUTES)).isEqualTo(2);
      }
    } finally {
      threads.shutdownNow();
    }
    try (IAppStorage app = open(database, "")) {
      assertThat(app.reader(1).info().epoch().number()).isEqualTo(4);
    }
  }

  @Test
  void schema_printed_isWhatOpeningNeeds() throws SQLException {
    String database = newDatabase();
    StorageUri uri = StorageUri.parse("postgres://postgres@127.0.0.1/x?schema=other");
    execute(database, Fixture.DRIVER.schema(uri));
    try (IAppStorage app = open(database, "&schema=other")) {
      app.claim(0, "test");
    }
  }

  @Test
  @Tag("F-4")
  void open_aSchemaOfANewerRelease_isRefused() throws SQLException {
    String database = newDatabase();
    open(database, "").close();
    execute(database, "INSERT INTO tidemark.schema_version (version) VALUES (99)");
    assertThatThrownBy(() -> open(database, ""))
        .isInstanceOf(StorageCorruptedException.class)
        .hasMessageContaining("version 99");
  }

  @ParameterizedTest
  @CsvSource({
    "reWriteBatchedInserts, true, hides conflicts",
    "preferQueryMode, simple, preferQueryMode is simple",
    "options, -c synchronous_commit=off, synchronous_commit is off",
    "options, -c synchronous_commit=local, synchronous_commit is local",
    "options, -c default_transaction_isolation=repeatable\\ read, isolation level is repeatable read",
    "options, -c default_transaction_isolation=serializable, isolation level is serializable",
  })
  void open_withAnUnsafeSetting_namesItAndTheRemedy(String property, String value, String message)
      throws SQLException {
    PGSimpleDataSource source = source();
    source.setProperty(property, value);
    assertThatThrownBy(() -> Fixture.DRIVER.open(source, "tidemark", "a", LAYOUT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("; ");
  }

  @Test
  void open_withAReadOnlySession_isUnavailable() throws SQLException {
    PGSimpleDataSource source = source();
    source.setProperty("options", "-c default_transaction_read_only=on");
    assertThatThrownBy(() -> Fixture.DRIVER.open(source, "tidemark", "a", LAYOUT))
        .isInstanceOf(StorageUnavailableException.class)
        .hasMessageContaining("primary");
  }

  @Test
  void open_overADataSource_leavesItOpen() throws SQLException {
    PGSimpleDataSource source = source();
    String name = Fixture.newName("given");
    try (IAppStorage app = Fixture.DRIVER.open(source, "tidemark", name, LAYOUT)) {
      app.claim(0, "test").append(List.of(Fixture.event(1)), io.tidemark.api.WriteMode.PUT);
    }
    source.getConnection().close();
  }

  @Test
  void use_afterClose_isRefused() {
    IAppStorage app = Fixture.openNew();
    var handle = app.claim(0, "test");
    app.close();
    assertThatThrownBy(handle::logEnd).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> app.claim(0, "test")).isInstanceOf(IllegalStateException.class);
  }

  private static PGSimpleDataSource source() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {Fixture.SERVER.port()});
    source.setDatabaseName("postgres");
    source.setUser("postgres");
    return source;
  }

  @Test
  void open_aServerWithoutFsync_warns() {
    List<String> logged = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            logged.add(entry.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(Settings.class.getName());
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    logger.setLevel(Level.ALL);
    try {
      Fixture.openNew().close();
    } finally {
      logger.setLevel(Level.OFF);
      logger.setUseParentHandlers(true);
      logger.removeHandler(handler);
    }
    assertThat(logged).singleElement().asString().contains("fsync=off");
  }
}
