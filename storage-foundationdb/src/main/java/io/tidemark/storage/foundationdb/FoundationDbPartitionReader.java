package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.Range;
import com.apple.foundationdb.tuple.Tuple;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.PartitionInfo;
import io.tidemark.storage.foundationdb.MetaCodec.Ownership;
import java.util.concurrent.CompletableFuture;

/** Reads a partition for those who do not own it: always the generation in use. */
final class FoundationDbPartitionReader extends FoundationDbLogReader implements IPartitionReader {

  FoundationDbPartitionReader(FoundationDbAppStorage app, int partition) {
    super(app, partition);
  }

  @Override
  public PartitionInfo info() {
    return app.transactions()
        .read(
            "read the meta rows of " + name,
            transaction -> {
              CompletableFuture<byte[]> epoch = transaction.get(keys.epoch());
              CompletableFuture<byte[]> failure = transaction.get(keys.failure());
              Ownership held = MetaCodec.ownership(epoch.join());
              return new PartitionInfo(
                  held.epoch(),
                  held.owner(),
                  SeqDataReads.generations(this, transaction).inUse(),
                  MetaCodec.failure(failure.join()));
            });
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    return SeqDataReads.numbers(this, wsid, seqIds);
  }

  @Override
  public long readNextPLogOffset() {
    return SeqDataReads.nextOffset(this);
  }

  @Override
  public void scanNumbers(NumberVisitor visitor) {
    long generation =
        app.transactions()
            .read(
                "read the generation of " + name,
                transaction -> SeqDataReads.generations(this, transaction).inUse());
    Range range = keys.numbers().range(Tuple.from(generation));
    scan("read the numbers")
        .rows(
            keys.numbers(),
            range.begin,
            range.end,
            false,
            transaction -> {
              if (SeqDataReads.generations(this, transaction).inUse() != generation) {
                throw new StorageUnavailableException(
                    "the numbers of %s were rebuilt while they were read; read again"
                        .formatted(name));
              }
            },
            (key, bytes) ->
                visitor.visit(
                    key.getLong(1),
                    Math.toIntExact(key.getLong(2)),
                    MetaCodec.number("number " + key, bytes, 0)));
  }

  @Override
  public void scanWLog(WLogVisitor visitor) {
    Range range = keys.wlog().range();
    scanWLog(range.begin, range.end, visitor);
  }

  @Override
  public void scanRecords(RecordVisitor visitor) {
    Range range = keys.records().range();
    scan("read the records")
        .rows(
            keys.records(),
            range.begin,
            range.end,
            true,
            unguarded -> {},
            (key, bytes) -> visitor.visit(recordRow(key.getLong(0), key.getLong(1), bytes)));
  }
}
