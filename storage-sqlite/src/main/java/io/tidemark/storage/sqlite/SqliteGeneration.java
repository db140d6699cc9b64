package io.tidemark.storage.sqlite;

import io.tidemark.api.StorageCorruptedException;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.SeqValues;

/** A generation under construction, by one owner's handle. */
final class SqliteGeneration implements ISeqGeneration {
  private final SqlitePartition owner;
  private final long generation;

  SqliteGeneration(SqlitePartition owner, long generation) {
    this.owner = owner;
    this.generation = generation;
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public long nextOffset() {
    return owner.readNextOffset(generation);
  }

  @Override
  public void write(SeqValues batch, long nextOffset) {
    owner.write("building numbers", owner.seqDataWrite(generation, batch, nextOffset));
  }

  /** Switches in one transaction, then deletes in small ones: no other writer waits for long. */
  @Override
  public void activate() {
    owner.write(
        "activate",
        session -> {
          Meta meta = owner.requireOwner(session, "activate");
          if (meta.generation() != generation) {
            if (meta.building() != generation) {
              throw new StorageCorruptedException(
                  "SeqData generation %d of %s is not there; rebuild it again"
                      .formatted(generation, owner));
            }
            meta.withGeneration(generation).write(session, owner.app, owner.partition);
            SeqData.retireOlder(session, owner.app, owner.partition, generation);
          }
          return meta;
        });
    while (owner.write("deleting old numbers", this::deleteSomeOlder)) {}
  }

  private boolean deleteSomeOlder(Session session) throws java.sql.SQLException {
    return SeqData.deleteSomeOlder(session, owner.app, owner.partition, generation);
  }
}
