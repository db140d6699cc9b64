package io.tidemark.tck;

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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passes everything on; a saboteur overrides what it breaks. */
class DelegatingHandle implements IPartitionStorage {
  final IPartitionStorage real;

  DelegatingHandle(IPartitionStorage real) {
    this.real = real;
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
  public void settle() {
    real.settle();
  }

  @Override
  public @Nullable PartitionFailure failure() {
    return real.failure();
  }

  @Override
  public void storeFailure(@Nullable PartitionFailure failure) {
    real.storeFailure(failure);
  }

  @Override
  public ISeqGeneration rebuild() {
    return real.rebuild();
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    return real.readNumbers(wsid, seqIds);
  }

  @Override
  public long readNextPLogOffset() {
    return real.readNextPLogOffset();
  }

  @Override
  public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
    real.writeValuesAndOffset(batch, nextOffset);
  }

  @Override
  public void actualizeSequencesFromPLog(
      long from, Cancellation cancellation, ReplayBatcher batcher) {
    real.actualizeSequencesFromPLog(from, cancellation, batcher);
  }

  @Override
  public GroupLimit groupLimit(long firstOffset) {
    return real.groupLimit(firstOffset);
  }

  @Override
  public void append(List<PLogEvent> group, WriteMode mode) {
    real.append(group, mode);
  }

  @Override
  public void appendWLog(List<WLogRow> rows, WriteMode mode) {
    real.appendWLog(rows, mode);
  }

  @Override
  public void putRecords(List<RecordRow> rows, WriteMode newRecords) {
    real.putRecords(rows, newRecords);
  }

  @Override
  public void commit(CommitGroup group, TrustLevel level) {
    real.commit(group, level);
  }

  @Override
  public void markCorrupted(long offset) {
    real.markCorrupted(offset);
  }

  @Override
  public long logEnd() {
    return real.logEnd();
  }

  @Override
  public void readPLog(long from, PLogVisitor visitor) {
    real.readPLog(from, visitor);
  }

  @Override
  public void readWLog(long wsid, long from, WLogVisitor visitor) {
    real.readWLog(wsid, from, visitor);
  }

  @Override
  public @Nullable RecordRow readRecord(long wsid, long recordId) {
    return real.readRecord(wsid, recordId);
  }
}
