package io.tidemark.simulation;

import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISeqGeneration;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.ReplayBatcher;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.WLogRow;
import io.tidemark.storage.memory.StorageCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A handle whose every call is a step of the world and may go wrong. */
final class PipelineHandle implements IPartitionStorage {
  private final PipelineWire wire;
  private final PipelineChecker checker;
  private final IPartitionStorage real;
  private final int claim;

  PipelineHandle(PipelineWire wire, PipelineChecker checker, IPartitionStorage real, int claim) {
    this.wire = wire;
    this.checker = checker;
    this.real = real;
    this.claim = claim;
  }

  @Override
  public void append(List<PLogEvent> group, WriteMode mode) {
    checker.attempted(group, claim);
    wire.write(StorageCall.APPEND, () -> real.append(group, mode));
  }

  @Override
  public void commit(CommitGroup group, TrustLevel level) {
    checker.attempted(group.events(), claim);
    wire.write(StorageCall.COMMIT, () -> real.commit(group, level));
  }

  @Override
  public void settle() {
    wire.write(StorageCall.SETTLE, real::settle);
    checker.settled(claim);
  }

  @Override
  public void appendWLog(List<WLogRow> rows, WriteMode mode) {
    wire.write(StorageCall.APPEND_WLOG, () -> real.appendWLog(rows, mode));
  }

  @Override
  public void putRecords(List<RecordRow> rows, WriteMode newRecords) {
    wire.write(StorageCall.PUT_RECORDS, () -> real.putRecords(rows, newRecords));
  }

  @Override
  public void storeFailure(@Nullable PartitionFailure failure) {
    wire.write(StorageCall.STORE_FAILURE, () -> real.storeFailure(failure));
  }

  @Override
  public void markCorrupted(long offset) {
    wire.write(StorageCall.MARK_CORRUPTED, () -> real.markCorrupted(offset));
  }

  @Override
  public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
    wire.write(StorageCall.WRITE_SEQ_DATA, () -> real.writeValuesAndOffset(batch, nextOffset));
  }

  @Override
  public @Nullable PartitionFailure failure() {
    return wire.read(StorageCall.READ_META, real::failure);
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    return wire.read(StorageCall.READ_SEQ_DATA, () -> real.readNumbers(wsid, seqIds));
  }

  @Override
  public long readNextPLogOffset() {
    return wire.read(StorageCall.READ_SEQ_DATA, real::readNextPLogOffset);
  }

  @Override
  public void actualizeSequencesFromPLog(
      long from, Cancellation cancellation, ReplayBatcher batcher) {
    wire.read(StorageCall.READ_LOG, real::logEnd);
    real.actualizeSequencesFromPLog(from, cancellation, batcher);
  }

  @Override
  public long logEnd() {
    return wire.read(StorageCall.READ_LOG, real::logEnd);
  }

  @Override
  public void readPLog(long from, PLogVisitor visitor) {
    wire.read(StorageCall.READ_LOG, real::logEnd);
    real.readPLog(from, visitor);
  }

  @Override
  public void readWLog(long wsid, long from, WLogVisitor visitor) {
    real.readWLog(wsid, from, visitor);
  }

  @Override
  public @Nullable RecordRow readRecord(long wsid, long recordId) {
    return wire.read(StorageCall.READ_LOG, () -> real.readRecord(wsid, recordId));
  }

  @Override
  public int partition() {
    return real.partition();
  }

  @Override
  public Epoch epoch() {
    return real.epoch();
  }

  @Override
  public ISeqGeneration rebuild() {
    return real.rebuild();
  }

  @Override
  public GroupLimit groupLimit(long firstOffset) {
    return real.groupLimit(firstOffset);
  }
}
