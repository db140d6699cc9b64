package io.tidemark.bench;

import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SystemSequences;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.SequenceTouch;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.LongConsumer;

/**
 * Writes a log of made-up events, each a function of its offset.
 *
 * <p>There are 100,000 workspaces; 1,000 events in a row belong to 100 of them. So the tail holds
 * 300 numbers: a sequencer that died leaves no more than it may keep waiting, 500 by default.
 */
final class StoredLog {
  /** How many events lie behind the checkpoint. */
  static final int TAIL = 1000;

  static final SequenceTypes TYPES = SequenceTypes.builder().platform(FlatSeqStorage.KIND).build();

  /** Events in a row that share workspaces, 100 of them, which then rest until all had a turn. */
  private static final int STRETCH = 1000;

  private static final int WORKSPACES = 100;
  private static final int STRETCHES = 1000;
  private static final int REPORTED = 500_000;
  private static final long FIRST_RECORD = SystemSequences.owrecordId().min();
  private static final byte[] PAYLOAD = new byte[100];
  private static final TrustLevel LEVEL = TrustLevel.LEVEL_0;

  private final IPartitionStorage partition;

  StoredLog(IPartitionStorage partition) {
    this.partition = partition;
  }

  /**
   * Brings the log to at least so many events and puts the checkpoint just before the last {@link
   * #TAIL} of them. What an earlier run has written is kept.
   */
  void fill(long events, LongConsumer progress) {
    long end = append(partition.logEnd(), events - TAIL, progress);
    checkpoint(end);
    appendTail();
  }

  /** Appends another tail, past the checkpoint. */
  void appendTail() {
    long end = partition.logEnd();
    append(end, end + TAIL, offset -> {});
  }

  /** All numbers up to {@code end}, as an orderly stop would have stored them. */
  private void checkpoint(long end) {
    SeqValues values = new SeqValues();
    long stored = partition.readNextPLogOffset();
    long cycle = (long) STRETCH * STRETCHES;
    for (long offset = Math.max(stored, end - cycle + 1); offset <= end; offset++) {
      long turn = (offset - 1) % STRETCH;
      if (turn >= STRETCH - WORKSPACES || offset > end - WORKSPACES) {
        partition.extractor().extract(event(offset, offset), values);
      }
      if (turn == STRETCH - 1) {
        partition.writeValuesAndOffset(values, stored); // the offset waits for all values
        values.clear();
      }
    }
    partition.writeValuesAndOffset(values, end + 1);
  }

  private long append(long end, long last, LongConsumer progress) {
    long first = end + 1;
    while (first <= last) {
      List<PLogEvent> group = group(first, last);
      partition.append(group, LEVEL.events());
      first += group.size();
      if (first / REPORTED > (first - group.size()) / REPORTED) {
        progress.accept(first - 1);
      }
    }
    return first - 1;
  }

  private List<PLogEvent> group(long first, long last) {
    GroupLimit limit = partition.groupLimit(first);
    List<PLogEvent> group = new ArrayList<>();
    long bytes = 0;
    for (long offset = first; offset <= last && group.size() < limit.events(); offset++) {
      PLogEvent event = event(offset, first);
      bytes += event.size();
      if (bytes > limit.bytes() && !group.isEmpty()) {
        break;
      }
      group.add(event);
    }
    return group;
  }

  /** Each event draws an offset of its workspace's log and a record id. */
  static PLogEvent event(long offset, long groupFirst) {
    long stretch = (offset - 1) / STRETCH;
    long turn = (offset - 1) % STRETCH;
    long wsid = stretch % STRETCHES * WORKSPACES + turn % WORKSPACES;
    long number = stretch / STRETCHES * (STRETCH / WORKSPACES) + turn / WORKSPACES + 1;
    List<SequenceTouch> touches =
        List.of(
            new SequenceTouch(SystemSequences.WLOG_OFFSET, 1, number, false),
            new SequenceTouch(SystemSequences.OWRECORD_ID, 1, FIRST_RECORD + number - 1, false));
    EventHeader header =
        new EventHeader(
            new UUID(0, offset), groupFirst, wsid, FlatSeqStorage.KIND, number, false, touches);
    return new PLogEvent(offset, header, PAYLOAD);
  }
}
