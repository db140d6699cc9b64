package io.tidemark.storage.postgres;

import static java.util.Objects.requireNonNull;

import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.StorageCapability;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** One process's connections to an application; all its handles work through them. */
final class PostgresAppStorage implements IAppStorage {
  private final Database database;
  private final Application application;
  private final MetaRows rows;
  private final GroupStatement statement;
  private final SeqData seqData;

  PostgresAppStorage(Database database, Application application) {
    this.database = database;
    this.application = application;
    rows = new MetaRows(database);
    statement = new GroupStatement(database);
    seqData = new SeqData(database);
  }

  @Override
  public String application() {
    return application.name();
  }

  @Override
  public Layout layout() {
    return application.layout();
  }

  @Override
  public Set<StorageCapability> capabilities() {
    return EnumSet.allOf(StorageCapability.class);
  }

  @Override
  public IPartitionStorage claim(int partition, String owner) {
    PartitionKey key = key(partition);
    MetaRow claimed = rows.claim(key, requireNonNull(owner, "owner"));
    Ownership ownership = new Ownership(database, rows, key, claimed.info().epoch());
    return new PostgresPartition(
        database, key, ownership, statement, seqData, claimed.info().generation());
  }

  @Override
  public IPartitionReader reader(int partition) {
    return new PostgresPartitionReader(database, key(partition), rows, seqData);
  }

  private PartitionKey key(int partition) {
    layout().requirePartition(partition);
    return new PartitionKey(application.id(), application.name(), partition);
  }

  /** One statement for all, as long as every handle is this storage's own and not wrapped. */
  @Override
  public void writeSeqData(List<SeqDataBatch> batches) {
    for (SeqDataBatch batch : batches) {
      if (!(batch.partition() instanceof PostgresPartition handle) || handle.seqData() != seqData) {
        IAppStorage.super.writeSeqData(batches);
        return;
      }
    }
    seqData.write(batches);
  }

  @Override
  public PostgresSequences sequences(String owner) {
    return PostgresSequences.claim(database, application, requireNonNull(owner, "owner"));
  }

  @Override
  public void close() {
    database.close();
  }

  @Override
  public String toString() {
    return "application '" + application.name() + "' in schema '" + database.schema() + "'";
  }
}
