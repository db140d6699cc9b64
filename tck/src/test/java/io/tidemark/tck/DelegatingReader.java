package io.tidemark.tck;

import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.PartitionInfo;
import io.tidemark.spi.RecordRow;
import org.jspecify.annotations.Nullable;

/** Passes everything on; a saboteur overrides what it breaks. */
class DelegatingReader implements IPartitionReader {
  final IPartitionReader real;

  DelegatingReader(IPartitionReader real) {
    this.real = real;
  }

  @Override
  public PartitionInfo info() {
    return real.info();
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
  public void scanNumbers(NumberVisitor visitor) {
    real.scanNumbers(visitor);
  }

  @Override
  public void scanWLog(WLogVisitor visitor) {
    real.scanWLog(visitor);
  }

  @Override
  public void scanRecords(RecordVisitor visitor) {
    real.scanRecords(visitor);
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
