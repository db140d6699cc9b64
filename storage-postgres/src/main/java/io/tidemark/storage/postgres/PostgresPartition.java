package io.tidemark.storage.postgres;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.WLogRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An owner's handle. It holds no connection: each call takes one for one statement. */
final class PostgresPartition extends PostgresLogReader implements IPartitionStorage {
  private static final GroupLimit LIMIT = new GroupLimit(1000, 8 << 20);

  private final Ownership ownership;
  private final GroupWrites writes;
  private final SeqData seqData;
  private final long generation;

  PostgresPartition(
      Database database,
      PartitionKey key,
      Ownership ownership,
      GroupStatement statement,
      SeqData seqData,
      long generation) {
    super(database, key);
    this.ownership = ownership;
    this.seqData = seqData;
    this.generation = generation;
    writes = new GroupWrites(database, key, statement, ownership);
  }

  SeqData seqData() {
    return seqData;
  }

  PartitionKey key() {
    return key;
  }

  long generation() {
    return generation;
  }

  Ownership ownership() {
    return ownership;
  }

  @Override
  public int partition() {
    return key.partition();
  }

  @Override
  public Epoch epoch() {
    return ownership.term().epoch();
  }

  @Override
  public void settle() {
    ownership.settle();
  }

  @Override
  public @Nullable PartitionFailure failure() {
    return ownership.read().info().failure();
  }

  @Override
  public void storeFailure(@Nullable PartitionFailure failure) {
    ownership.storeFailure(failure);
  }

  @Override
  public ISeqGeneration rebuild() {
    return new PostgresGeneration(this, ownership.startBuilding());
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    return seqData.readNumbers(key, generation, wsid, seqIds);
  }

  @Override
  public long readNextPLogOffset() {
    return seqData.readNextOffset(key, generation);
  }

  @Override
  public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
    seqData.write(List.of(new SeqDataBatch(this, batch, nextOffset)));
  }

  @Override
  public GroupLimit groupLimit(long firstOffset) {
    Group.requireOffset("firstOffset", firstOffset);
    return LIMIT;
  }

  @Override
  public void append(List<PLogEvent> group, WriteMode mode) {
    requireNonNull(mode, "mode");
    List<PLogEvent> events = Group.requireGroup(group, LIMIT);
    writes.log("append", Group.of(events, mode, List.of(), WriteMode.PUT, List.of()));
  }

  @Override
  public void appendWLog(List<WLogRow> rows, WriteMode mode) {
    requireNonNull(mode, "mode");
    writes.apply("WLog append", Group.of(List.of(), mode, List.of(), WriteMode.PUT, rows));
  }

  @Override
  public void putRecords(List<RecordRow> rows, WriteMode newRecords) {
    requireNonNull(newRecords, "newRecords");
    writes.apply("record put", Group.of(List.of(), WriteMode.PUT, rows, newRecords, List.of()));
  }

  @Override
  public void commit(CommitGroup group, TrustLevel level) {
    List<PLogEvent> events = Group.requireGroup(group.events(), LIMIT);
    writes.log(
        "commit",
        Group.of(events, level.events(), group.records(), level.newRecords(), group.wlog()));
  }

  @Override
  public void markCorrupted(long offset) {
    Group.requireOffset("offset", offset);
    writes.markCorrupted(offset);
  }

  @Override
  public String toString() {
    return key + " at epoch " + epoch();
  }
}
