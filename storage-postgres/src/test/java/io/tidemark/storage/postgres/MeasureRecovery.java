package io.tidemark.storage.postgres;

import io.tidemark.api.SystemSequences;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.testservers.PostgresServer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * How long a partition with a long log takes to be ready, without a checkpoint and with one near
 * the end, and how many statements commands take. Run by hand.
 */
final class MeasureRecovery {
  private static final int EVENTS = Integer.getInteger("measure.events", 1_000_000);
  private static final int WORKSPACES = Integer.getInteger("measure.workspaces", 100);
  private static final int GROUP = 1000;
  private static final long FIRST_ID = 322_680_000_131_072L;

  private MeasureRecovery() {}

  public static void main(String[] arguments) {
    try (PostgresServer server = PostgresServer.started(18)) {
      statements(server, 1);
      statements(server, 100);
      try (IAppStorage app = Fixture.open(server, "long", Layout.of(1))) {
        fill(app.claim(0, "filler"));
        recover(app, "no checkpoint");
        recover(app, "checkpoint at the end");
        recover(app, "checkpoint at the end");
      }
    }
    System.exit(0);
  }

  /** Statements per 1,000 commands, flushes included. */
  private static void statements(PostgresServer server, int group) {
    CountingSource counting =
        new CountingSource(
            Connections.pool(
                Connections.driver(Fixture.config(server.port())), Fixture.config(server.port())));
    IAppStorage app =
        Fixture.DRIVER.open(counting.source(), "tidemark", "count" + group, Layout.of(1));
    try (Load load = new Load(app, 0, "measure", TrustLevel.LEVEL_0)) {
      load.awaitReady();
      load.commit(group, event -> {});
      long before = counting.executed();
      for (int i = 0; i < 10_000 / group; i++) {
        load.commit(group, event -> {});
      }
      System.out.printf(
          "group %d: %.1f statements per 1,000 commands%n",
          group, (counting.executed() - before) / 10.0);
    }
  }

  private static void fill(IPartitionStorage partition) {
    for (long first = 1; first <= EVENTS; first += GROUP) {
      List<PLogEvent> group = new ArrayList<>(GROUP);
      for (long offset = first; offset < first + GROUP; offset++) {
        long turn = (offset - 1) / WORKSPACES;
        List<SequenceTouch> touches =
            List.of(
                new SequenceTouch(SystemSequences.WLOG_OFFSET, 1, turn + 1, false),
                new SequenceTouch(SystemSequences.OWRECORD_ID, 1, FIRST_ID + turn, false));
        EventHeader header =
            new EventHeader(
                new UUID(1, offset),
                first,
                offset % WORKSPACES,
                Load.KIND,
                turn + 1,
                false,
                touches);
        group.add(new PLogEvent(offset, header, new byte[100]));
      }
      partition.append(group, WriteMode.INSERT_IF_NOT_EXISTS);
    }
  }

  private static void recover(IAppStorage app, String what) {
    long cpu = processCpu();
    long begin = System.nanoTime();
    try (Load load = new Load(app, 0, "recovering", TrustLevel.LEVEL_0)) {
      load.awaitReady();
      System.out.printf(
          "%,d events, %s: ready after %.2f s, %.2f s of this process's CPU%n",
          EVENTS, what, (System.nanoTime() - begin) / 1e9, (processCpu() - cpu) / 1e9);
    }
  }

  private static long processCpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
