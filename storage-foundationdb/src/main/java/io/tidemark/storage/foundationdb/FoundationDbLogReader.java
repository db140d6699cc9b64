package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.subspace.Subspace;
import com.apple.foundationdb.tuple.Tuple;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.ILogReader;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import io.tidemark.storage.foundationdb.Keys.PartitionKeys;
import org.jspecify.annotations.Nullable;

/** Reads one partition's logs and records. */
class FoundationDbLogReader implements ILogReader {
  final FoundationDbAppStorage app;
  final PartitionKeys keys;
  final String name;

  FoundationDbLogReader(FoundationDbAppStorage app, int partition) {
    this.app = app;
    keys = app.keys().partition(app.layout().requirePartition(partition));
    name = "partition " + partition + " of " + app;
  }

  @Override
  public final long logEnd() {
    KeySelector last = KeySelector.lastLessThan(keys.plog().range().end);
    byte[] found =
        app.transactions().read("read the end of the log of " + name, tr -> tr.getKey(last).join());
    return keys.plog().contains(found) ? keys.plog().unpack(found).getLong(0) : 0;
  }

  @Override
  public final void readPLog(long from, PLogVisitor visitor) {
    requireOffset("from", from);
    long end = logEnd();
    if (from > end) {
      return;
    }
    Subspace plog = keys.plog();
    long[] next = {from};
    boolean[] ended = {false};
    scan("read the log")
        .rows(
            plog,
            plog.pack(from),
            plog.range(Tuple.from(end)).end,
            true,
            unguarded -> {},
            (key, bytes) -> {
              long offset = key.getLong(0);
              if (offset != next[0]) {
                throw new StorageCorruptedException(
                    "PLog offset %d of %s is missing, the next is %d; restore it from a backup"
                        .formatted(next[0], name, offset));
              }
              next[0]++;
              ended[0] = !visitor.visit(PLogEvent.fromBytes(offset, bytes));
              return !ended[0];
            });
    if (!ended[0] && next[0] <= end) {
      throw new StorageUnavailableException(
          "the log of %s lost PLog offset %d while it was read; read again"
              .formatted(name, next[0]));
    }
  }

  @Override
  public final void readWLog(long wsid, long from, WLogVisitor visitor) {
    requireOffset("from", from);
    Subspace wlog = keys.wlog();
    scanWLog(wlog.pack(Tuple.from(wsid, from)), wlog.range(Tuple.from(wsid)).end, visitor);
  }

  final void scanWLog(byte[] begin, byte[] end, WLogVisitor visitor) {
    scan("read the workspace log")
        .rows(
            keys.wlog(),
            begin,
            end,
            true,
            unguarded -> {},
            (key, bytes) -> visitor.visit(wlogRow(key.getLong(0), key.getLong(1), bytes)));
  }

  private static WLogRow wlogRow(long wsid, long wlogOffset, byte[] stored) {
    String what = "WLog offset " + wlogOffset + " of workspace " + Long.toUnsignedString(wsid);
    OffsetRow row = OffsetRow.decode(what, stored);
    return new WLogRow(wsid, wlogOffset, row.plogOffset(), row.data(what));
  }

  @Override
  public final @Nullable RecordRow readRecord(long wsid, long recordId) {
    Subspace row = keys.record(wsid, recordId);
    String what = "record " + recordId + " of workspace " + Long.toUnsignedString(wsid);
    Range range = row.range();
    byte[] stored =
        app.transactions()
            .<byte @Nullable []>read(
                "read " + what + " from " + name,
                tr -> Chunks.join(what, row, tr.snapshot().getRange(range).asList().join()));
    return stored == null ? null : recordRow(wsid, recordId, stored);
  }

  static RecordRow recordRow(long wsid, long recordId, byte[] stored) {
    String what = "record " + recordId + " of workspace " + Long.toUnsignedString(wsid);
    OffsetRow row = OffsetRow.decode(what, stored);
    return new RecordRow(wsid, recordId, row.plogOffset(), false, row.data(what));
  }

  final Scan scan(String what) {
    return new Scan(app.transactions(), app.nanoTime(), what + " of " + name);
  }

  static long requireOffset(String argument, long offset) {
    if (offset < 1) {
      throw new IllegalArgumentException(argument + " must be >= 1, was " + offset);
    }
    return offset;
  }
}
