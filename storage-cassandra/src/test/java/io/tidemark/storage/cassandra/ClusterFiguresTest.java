package io.tidemark.storage.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands a second at each level, as ratios to plain inserts on the same cluster. */
@Tag("chaos")
class ClusterFiguresTest {
  private static final int PARTITIONS = 8;
  private static final int COMMANDS = 60;
  private static final int GROUP = 10;
  private static final int ROUNDS = 3;
  private static final byte[] DATA = new byte[200];
  private static final System.Logger LOG = System.getLogger("figures");

  private final Cluster cluster = Cluster.shared();
  private final Map<String, Double> seconds = new LinkedHashMap<>();
  private final Map<String, Integer> done = new LinkedHashMap<>();

  @Test
  void commands_atEachLevel_areCounted() throws Exception {
    cluster.calm();
    PreparedStatement plain = plainInsert();
    Map<TrustLevel, List<IPartitionStorage>> handles = new LinkedHashMap<>();
    for (TrustLevel level : TrustLevel.values()) {
      CassandraAppStorage app = cluster.open(level, PARTITIONS, 20_000);
      List<IPartitionStorage> claimed = new ArrayList<>();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        int each = partition;
        claimed.add(Cluster.eventually("claim", () -> app.claim(each, "figures")));
      }
      handles.put(level, claimed);
    }
    // The first round warms up; the rest interleave, so that all see the same machine.
    for (int round = 0; round <= ROUNDS; round++) {
      boolean counts = round > 0;
      int base = round * COMMANDS;
      run("plain inserts", counts, COMMANDS, worker -> insert(plain, worker, base));
      for (Map.Entry<TrustLevel, List<IPartitionStorage>> each : handles.entrySet()) {
        TrustLevel level = each.getKey();
        run(
            level + ", one command a commit",
            counts,
            COMMANDS,
            worker -> commit(each.getValue().get(worker), level, 1));
        run(
            level + ", " + GROUP + " commands a commit",
            counts,
            COMMANDS,
            worker -> commit(each.getValue().get(worker), level, GROUP));
      }
    }
    report();
    handles.forEach(
        (level, claimed) ->
            claimed.forEach(
                handle ->
                    assertThat(handle.logEnd())
                        .as("events logged at %s", level)
                        .isEqualTo((ROUNDS + 1) * 2L * COMMANDS)));
  }

  private PreparedStatement plainInsert() {
    String table = Cluster.KEYSPACE + ".plain_inserts";
    return Cluster.eventually(
        "create a table",
        () -> {
          cluster
              .session()
              .execute(
                  "CREATE TABLE IF NOT EXISTS "
                      + table
                      + " (worker int, id int, data blob, PRIMARY KEY (worker, id))");
          return cluster
              .session()
              .prepare("INSERT INTO " + table + " (worker, id, data) VALUES (?, ?, ?)");
        });
  }

  private void insert(PreparedStatement plain, int worker, int base) {
    for (int i = 0; i < COMMANDS; i++) {
      int id = base + i;
      Cluster.eventually(
          "insert", () -> cluster.session().execute(plain.bind(worker, id, ByteBuffer.wrap(DATA))));
    }
  }

  private static void commit(IPartitionStorage handle, TrustLevel level, int size) {
    long next = handle.logEnd() + 1;
    for (int i = 0; i < COMMANDS; i += size) {
      List<PLogEvent> events = new ArrayList<>();
      List<RecordRow> records = new ArrayList<>();
      List<WLogRow> wlog = new ArrayList<>();
      for (int j = 0; j < size; j++) {
        long offset = next + j;
        long wsid = handle.partition() + (long) PARTITIONS * j;
        events.add(Fixture.event(offset, next, new String(DATA, StandardCharsets.UTF_8)));
        records.add(new RecordRow(wsid, offset, offset, true, DATA));
        wlog.add(new WLogRow(wsid, offset, offset, DATA));
      }
      CommitGroup group = new CommitGroup(events, records, wlog);
      Cluster.eventually(
          "commit", // again after a timeout: what is there already finds itself
          () -> {
            handle.commit(group, level);
            return true;
          });
      next += size;
    }
  }

  private void run(String what, boolean counts, int commands, IntConsumer work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(PARTITIONS);
    long start = System.nanoTime();
    try {
      List<Future<?>> workers = new ArrayList<>();
      for (int worker = 0; worker < PARTITIONS; worker++) {
        int each = worker;
        workers.add(threads.submit(() -> work.accept(each)));
      }
      for (Future<?> worker : workers) {
        worker.get(10, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
    if (counts) {
      seconds.merge(what, (System.nanoTime() - start) / 1e9, Double::sum);
      done.merge(what, commands * PARTITIONS, Integer::sum);
    }
  }

  private void report() {
    double base = done.get("plain inserts") / seconds.get("plain inserts");
    seconds.forEach(
        (what, time) -> {
          double rate = done.get(what) / time;
          LOG.log(
              System.Logger.Level.INFO,
              String.format(
                  Locale.ROOT,
                  "%s: %.0f a second, %.2f of plain inserts",
                  what,
                  rate,
                  rate / base));
        });
  }
}
