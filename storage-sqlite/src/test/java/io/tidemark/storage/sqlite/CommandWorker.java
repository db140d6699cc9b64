package io.tidemark.storage.sqlite;

import io.tidemark.api.FencedException;
import io.tidemark.api.ISequencer;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SystemSequences;
import io.tidemark.api.TrustLevel;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.spi.WLogRow;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A process that takes the partition over and processes commands with the real engine, until it is
 * killed or fenced. Each command draws one to three numbers, logs one event, writes one record per
 * number and one WLog row in one commit, and only then is reported on standard output.
 */
final class CommandWorker {
  static final String GO = "go";
  static final String FENCED = "fenced";
  static final int KIND = 1;
  static final int ORDER = 256;
  static final int WORKSPACES = 3;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private CommandWorker() {}

  /** Waits for the word to go, so that a spare process can be started ahead of its turn. */
  public static void main(String[] arguments) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    if (!GO.equals(in.readLine())) {
      return;
    }
    SqliteStorageConfig config =
        SqliteStorageConfig.of(Path.of(arguments[0]), Fixture.APP).withTimeout(PATIENCE);
    try (IAppStorage app = SqliteStorageDriver.open(config, Layout.of(1))) {
      IPartitionStorage partition = app.claim(0, arguments[1]);
      ISequencer sequencer = Sequencers.of(app, engine()).open(partition);
      for (int command = 0; ; command++) {
        System.out.println(process(sequencer, partition, arguments[1], command));
        System.out.flush();
      }
    } catch (FencedException e) {
      System.out.println(FENCED);
      System.out.flush();
    }
  }

  /** Flushes after every few commands: a kill must meet SeqData writes too. */
  private static SequencerConfig engine() {
    SequenceDefinition orders = SequenceDefinition.named("orders").build();
    SequenceTypes types =
        SequenceTypes.builder().platform(KIND).sequence(KIND, ORDER, orders).build();
    return SequencerConfig.builder(types)
        .maxUnflushedValues(10)
        .maxFlushingInterval(Duration.ofMillis(1))
        .build();
  }

  private static String process(
      ISequencer sequencer, IPartitionStorage partition, String owner, int command) {
    long wsid = command % WORKSPACES;
    int count = 1 + command % 3;
    long offset = sequencer.start(KIND, wsid, PATIENCE);
    if (offset == 0) {
      if (sequencer.refusal() == Refusal.FENCED) {
        throw new FencedException("refused");
      }
      throw new IllegalStateException(sequencer.refusal() + " " + sequencer.status());
    }
    long wlogOffset = sequencer.next(SystemSequences.WLOG_OFFSET);
    long first = sequencer.next(ORDER, count);
    byte[] payload = payload(owner, command, first, count);
    List<RecordRow> records = new ArrayList<>();
    for (long id = first; id < first + count; id++) {
      records.add(new RecordRow(wsid, id, offset, true, payload));
    }
    List<SequenceTouch> touches = new ArrayList<>();
    sequencer.drawn((seqId, n, last, seen) -> touches.add(new SequenceTouch(seqId, n, last, seen)));
    EventHeader header =
        new EventHeader(UUID.randomUUID(), offset, wsid, KIND, wlogOffset, false, touches);
    CommitGroup group =
        new CommitGroup(
            List.of(new PLogEvent(offset, header, payload)),
            records,
            List.of(new WLogRow(wsid, wlogOffset, offset, payload)));
    partition.commit(group, TrustLevel.LEVEL_0);
    sequencer.flush();
    return offset + " " + new String(payload, StandardCharsets.UTF_8);
  }

  private static byte[] payload(String owner, int command, long first, int count) {
    return (owner + "/" + command + " " + first + " " + count).getBytes(StandardCharsets.UTF_8);
  }
}
