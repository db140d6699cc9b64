package io.tidemark.storage.postgres;

import io.tidemark.api.SequencerState;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.StorageUri;
import java.io.PrintStream;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A client process: owns a partition and commits until it is killed or fenced, and prints each
 * acknowledged event: offset, write id.
 */
final class Worker {
  static final int FENCED = 3;

  private Worker() {}

  public static void main(String[] arguments) {
    Logger.getLogger(Settings.class.getName()).setLevel(Level.OFF);
    String uri = arguments[0];
    int partition = Integer.parseInt(arguments[1]);
    TrustLevel level = TrustLevel.of(Integer.parseInt(arguments[2]));
    Random random = new Random(Long.parseLong(arguments[3]));
    PrintStream out = System.out;
    try (IAppStorage app = new PostgresStorageDriver().open(StorageUri.parse(uri), null);
        Load load = new Load(app, partition, "worker " + ProcessHandle.current().pid(), level)) {
      load.awaitReady();
      out.println("ready");
      while (true) {
        load.commit(1 + random.nextInt(4), event -> acknowledge(out, event));
        if (load.sequencer().status().state() == SequencerState.FENCED) {
          System.exit(FENCED);
        }
      }
    } catch (IllegalStateException e) {
      if (e.getMessage().contains("FENCED")) {
        System.exit(FENCED);
      }
      throw e;
    }
  }

  /** One write of a whole line: a killed process leaves no half of one that counts. */
  private static void acknowledge(PrintStream out, PLogEvent event) {
    out.print(event.offset() + " " + event.header().writeId() + "\n");
    out.flush();
  }
}
