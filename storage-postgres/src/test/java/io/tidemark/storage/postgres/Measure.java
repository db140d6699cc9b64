package io.tidemark.storage.postgres;

import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Commands per second beside plain single-row inserts with a commit each: slices of both alternate,
 * so that other work on the machine hits both. Run by hand, prints ratios.
 */
final class Measure {
  private static final long SLICE_NANOS = Long.getLong("measure.slice.millis", 500) * 1_000_000;
  private static final int ROUNDS = Integer.getInteger("measure.rounds", 12);

  private Measure() {}

  /** Does one unit of work and answers how many commands it was. */
  private interface Unit {
    int run() throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    String[] settings = arguments.length > 0 ? arguments : new String[] {"fsync=off"};
    try (PostgresServer server = PostgresServer.started(18, settings)) {
      Map<String, Unit> units = new LinkedHashMap<>();
      List<AutoCloseable> open = new ArrayList<>();
      Connection plain = server.connect("postgres");
      open.add(plain);
      units.put("plain insert", plainInsert(plain));
      for (TrustLevel level : TrustLevel.values()) {
        for (int size : new int[] {1, 5, 100}) {
          IAppStorage app = Fixture.open(server, "m" + level + size, Layout.of(1));
          Load load = new Load(app, 0, "measure", level);
          load.awaitReady();
          open.add(load);
          open.add(app);
          units.put(level + " group " + size, () -> load.commit(size, event -> {}) ? size : 0);
        }
      }
      for (Unit unit : units.values()) {
        slice(unit, SLICE_NANOS); // warm-up
      }
      Map<String, List<Double>> rates = new LinkedHashMap<>();
      for (int round = 0; round < ROUNDS; round++) {
        for (Map.Entry<String, Unit> entry : units.entrySet()) {
          double base = slice(units.get("plain insert"), SLICE_NANOS / 4);
          double rate = slice(entry.getValue(), SLICE_NANOS);
          base = (base + slice(units.get("plain insert"), SLICE_NANOS / 4)) / 2;
          rates.computeIfAbsent(entry.getKey(), k -> new ArrayList<>()).add(rate / base);
          rates.computeIfAbsent(entry.getKey() + " /s", k -> new ArrayList<>()).add(rate);
        }
      }
      rates.forEach(
          (name, values) -> System.out.printf("%-28s median %.2f%n", name, median(values)));
      for (AutoCloseable one : open) {
        one.close();
      }
    }
    System.exit(0);
  }

  private static Unit plainInsert(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE plain (id bigint PRIMARY KEY, data bytea NOT NULL)");
    }
    PreparedStatement insert = connection.prepareStatement("INSERT INTO plain VALUES (?, ?)");
    byte[] data = new byte[130];
    long[] id = {0};
    return () -> {
      insert.setLong(1, ++id[0]);
      insert.setBytes(2, data);
      insert.executeUpdate();
      return 1;
    };
  }

  private static double slice(Unit unit, long nanos) throws Exception {
    long begin = System.nanoTime();
    long done = 0;
    long now = begin;
    while (now - begin < nanos) {
      done += unit.run();
      now = System.nanoTime();
    }
    return done * 1e9 / (now - begin);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
