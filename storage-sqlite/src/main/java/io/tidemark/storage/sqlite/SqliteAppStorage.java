package io.tidemark.storage.sqlite;

import static java.util.Objects.requireNonNull;

import io.tidemark.spi.Epoch;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.StorageCapability;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** One application in an open file; all its handles work through the file's connections. */
final class SqliteAppStorage implements IAppStorage {
  private final Database database;
  private final long app;
  private final Layout layout;

  SqliteAppStorage(Database database, long app, Layout layout) {
    this.database = database;
    this.app = app;
    this.layout = layout;
  }

  @Override
  public String application() {
    return database.config().application();
  }

  @Override
  public Layout layout() {
    return layout;
  }

  @Override
  public Set<StorageCapability> capabilities() {
    return EnumSet.allOf(StorageCapability.class);
  }

  @Override
  public IPartitionStorage claim(int partition, String owner) {
    requireNonNull(owner, "owner");
    layout.requirePartition(partition);
    return database.write(
        "claim of partition " + partition,
        session -> {
          Meta found = Meta.read(session, app, partition);
          if (found.isFresh()) {
            SeqData.create(session, app, partition, found.generation());
          }
          Epoch epoch = found.epoch().next(UUID.randomUUID());
          found.withEpoch(epoch, owner).write(session, app, partition);
          return new SqlitePartition(database, app, partition, epoch, found.generation());
        });
  }

  @Override
  public IPartitionReader reader(int partition) {
    return new PartitionReader(database, app, layout.requirePartition(partition));
  }

  /** One transaction for all, as long as every handle is this storage's own and not wrapped. */
  @Override
  public void writeSeqData(List<SeqDataBatch> batches) {
    List<Database.Work<?>> parts = new ArrayList<>(batches.size());
    for (SeqDataBatch batch : batches) {
      if (!(batch.partition() instanceof SqlitePartition handle) || handle.database != database) {
        IAppStorage.super.writeSeqData(batches);
        return;
      }
      parts.add(handle.seqDataWrite(batch.values(), batch.nextOffset()));
    }
    database.write(
        "writing numbers of " + parts.size() + " partitions",
        session -> {
          for (Database.Work<?> part : parts) {
            part.run(session);
          }
          return true;
        });
  }

  @Override
  public ISequenceStorage<Connection> sequences(String owner) {
    return SqliteSequences.claim(database, app, requireNonNull(owner, "owner"));
  }

  /** Ends this storage's connections; others of the same file go on. */
  @Override
  public void close() {
    database.close();
  }

  @Override
  public String toString() {
    return "application '" + application() + "'";
  }
}
