package io.tidemark.storage.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.StorageException;
import io.tidemark.api.SystemSequences;
import io.tidemark.api.TrustLevel;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.spi.WLogRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** Commands against one partition: the engine's numbers, one commit per group. */
final class Load implements AutoCloseable {
  static final int KIND = 1;
  static final int WORKSPACES = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final IPartitionStorage partition;
  private final ISequencer sequencer;
  private final TrustLevel level;
  private long commands;

  Load(IAppStorage app, int partition, String owner, TrustLevel level) {
    this.partition = app.claim(partition, owner);
    SequencerConfig config = SequencerConfig.of(SequenceTypes.builder().platform(KIND).build());
    sequencer = Sequencers.of(app, config).open(this.partition);
    this.level = level;
  }

  ISequencer sequencer() {
    return sequencer;
  }

  void awaitReady() {
    if (!sequencer.awaitReady(PATIENCE)) {
      throw new IllegalStateException("not ready: " + sequencer.status());
    }
  }

  /**
   * Commits one group of commands.
   *
   * @param acknowledged told of each event once it is committed
   * @return false if the outcome is not known, or nothing was written
   */
  boolean commit(int size, Consumer<PLogEvent> acknowledged) {
    List<PLogEvent> events = new ArrayList<>(size);
    List<RecordRow> records = new ArrayList<>(size);
    List<WLogRow> wlog = new ArrayList<>(size);
    long first = 0;
    for (int i = 0; i < size; i++) {
      long wsid = commands++ % WORKSPACES;
      long offset = sequencer.start(KIND, wsid, PATIENCE);
      if (offset == 0) {
        throw new IllegalStateException(
            "refused: " + sequencer.refusal() + " " + sequencer.status());
      }
      first = i == 0 ? offset : first;
      PLogEvent event = event(first, offset, wsid);
      events.add(event);
      long record =
          event.header().touches().stream()
              .filter(touch -> touch.seqId() == SystemSequences.OWRECORD_ID)
              .findFirst()
              .orElseThrow()
              .last();
      records.add(new RecordRow(wsid, record, offset, true, event.payload()));
      wlog.add(new WLogRow(wsid, event.header().wlogOffset(), offset, event.payload()));
      if (i + 1 < size) {
        sequencer.stage();
      }
    }
    try {
      partition.commit(new CommitGroup(events, records, wlog), level);
    } catch (StorageException e) {
      sequencer.actualize();
      return false;
    }
    sequencer.flush();
    events.forEach(acknowledged);
    return true;
  }

  private PLogEvent event(long groupFirst, long offset, long wsid) {
    long wlogOffset = sequencer.next(SystemSequences.WLOG_OFFSET);
    long record = sequencer.next(SystemSequences.OWRECORD_ID);
    List<SequenceTouch> touches = new ArrayList<>();
    sequencer.drawn(
        (seqId, count, last, observed) ->
            touches.add(new SequenceTouch(seqId, count, last, observed)));
    EventHeader header =
        new EventHeader(UUID.randomUUID(), groupFirst, wsid, KIND, wlogOffset, false, touches);
    return new PLogEvent(offset, header, ("record " + record).getBytes(UTF_8));
  }

  @Override
  public void close() {
    sequencer.close(Duration.ofSeconds(10));
  }
}
