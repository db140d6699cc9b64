package io.tidemark.storage.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.subspace.Subspace;
import io.tidemark.storage.foundationdb.Keys.PartitionKeys;
import io.tidemark.tck.RawAccess;
import java.util.function.Consumer;

/** Writes rows behind the storage's back, in transactions of the database's own. */
final class TestRows implements RawAccess {
  private final Database database;
  private final FoundationDbStorageConfig config;

  TestRows(Database database, FoundationDbStorageConfig config) {
    this.database = database;
    this.config = config;
  }

  private PartitionKeys keys(String application, int partition) {
    return new Keys(config.prefix(), application).partition(partition);
  }

  private void run(Consumer<Transaction> work) {
    database.run(
        transaction -> {
          work.accept(transaction);
          return true;
        });
  }

  private void put(Subspace row, byte[] bytes) {
    run(
        transaction -> {
          Chunks.clear(transaction, row);
          Chunks.write(transaction, row, bytes);
        });
  }

  private void remove(Subspace row) {
    run(transaction -> Chunks.clear(transaction, row));
  }

  boolean hasPLog(String application, int partition, long offset) {
    byte[] key = Chunks.firstKey(keys(application, partition).plog(offset));
    return database.run(transaction -> transaction.get(key).join()) != null;
  }

  @Override
  public void putPLog(String application, int partition, long offset, byte[] stored) {
    put(keys(application, partition).plog(offset), stored);
  }

  @Override
  public void removePLog(String application, int partition, long offset) {
    remove(keys(application, partition).plog(offset));
  }

  @Override
  public void putWLog(
      String application, int partition, long wsid, long wlogOffset, long plogOffset, byte[] data) {
    put(keys(application, partition).wlog(wsid, wlogOffset), OffsetRow.encode(plogOffset, data));
  }

  @Override
  public void removeWLog(String application, int partition, long wsid, long wlogOffset) {
    remove(keys(application, partition).wlog(wsid, wlogOffset));
  }

  @Override
  public void putRecord(
      String application, int partition, long wsid, long recordId, long plogOffset, byte[] data) {
    put(keys(application, partition).record(wsid, recordId), OffsetRow.encode(plogOffset, data));
  }

  @Override
  public void removeRecord(String application, int partition, long wsid, long recordId) {
    remove(keys(application, partition).record(wsid, recordId));
  }

  @Override
  public void putNumber(String application, int partition, long wsid, int seqId, long number) {
    PartitionKeys keys = keys(application, partition);
    run(
        transaction ->
            transaction.set(
                keys.number(generation(transaction, keys), wsid, seqId), MetaCodec.number(number)));
  }

  @Override
  public void putNextOffset(String application, int partition, long nextOffset) {
    PartitionKeys keys = keys(application, partition);
    run(
        transaction ->
            transaction.set(
                keys.nextOffset(generation(transaction, keys)), MetaCodec.number(nextOffset)));
  }

  private static long generation(Transaction transaction, PartitionKeys keys) {
    return MetaCodec.generations(transaction.get(keys.generation()).join()).inUse();
  }
}
