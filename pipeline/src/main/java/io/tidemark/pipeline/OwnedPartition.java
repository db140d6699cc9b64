package io.tidemark.pipeline;

import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageException;
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
import io.tidemark.spi.SequenceExtractor;
import io.tidemark.spi.WLogRow;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A claimed partition as its sequencer sees it: before the log's tail is read, the last group is
 * applied again, and a violation is stored before the sequencer learns of it.
 */
final class OwnedPartition implements IPartitionStorage {
  private static final Logger LOGGER = System.getLogger(OwnedPartition.class.getName());

  private final IPartitionStorage storage;
  private final Applier applier;
  private final SequenceExtractor extractor;
  private final Consumer<List<PLogEvent>> reapplied;
  private volatile @Nullable PartitionFailure found;

  OwnedPartition(
      IPartitionStorage storage,
      Applier applier,
      SequenceExtractor extractor,
      Consumer<List<PLogEvent>> reapplied) {
    this.storage = storage;
    this.applier = applier;
    this.extractor = extractor;
    this.reapplied = reapplied;
  }

  IPartitionStorage storage() {
    return storage;
  }

  /**
   * Says that a write met a foreign row. It is stored before anybody is told; where that fails, the
   * next actualization stores it and stops there.
   */
  void failed(PartitionFailure failure) {
    found = failure;
    try {
      storage.storeFailure(failure);
    } catch (StorageException e) {
      LOGGER.log(Level.DEBUG, "the failure could not be stored yet", e);
    }
  }

  @Override
  public @Nullable PartitionFailure failure() {
    PartitionFailure known = found;
    if (known != null) {
      storage.storeFailure(known);
      return known;
    }
    return storage.failure();
  }

  @Override
  public void actualizeSequencesFromPLog(
      long from, Cancellation cancellation, ReplayBatcher batcher) {
    try {
      reapplied.accept(applier.reapply(cancellation));
    } catch (SequenceViolationException e) {
      PartitionFailure failure = FailureKey.failure(e, null);
      storage.storeFailure(failure);
      throw e;
    } catch (UnappliableException e) {
      storage.storeFailure(e.failure());
      throw new StorageCorruptedException(
          e.getMessage() + "; an operator must resolve it, by skipping its event", e);
    }
    if (extractor == SequenceExtractor.HEADER) {
      storage.actualizeSequencesFromPLog(from, cancellation, batcher);
    } else {
      IPartitionStorage.super.actualizeSequencesFromPLog(from, cancellation, batcher);
    }
  }

  @Override
  public SequenceExtractor extractor() {
    return extractor;
  }

  @Override
  public int partition() {
    return storage.partition();
  }

  @Override
  public Epoch epoch() {
    return storage.epoch();
  }

  @Override
  public void settle() {
    storage.settle();
  }

  @Override
  public void storeFailure(@Nullable PartitionFailure failure) {
    storage.storeFailure(failure);
  }

  @Override
  public ISeqGeneration rebuild() {
    return storage.rebuild();
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    return storage.readNumbers(wsid, seqIds);
  }

  @Override
  public long readNextPLogOffset() {
    return storage.readNextPLogOffset();
  }

  @Override
  public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
    storage.writeValuesAndOffset(batch, nextOffset);
  }

  @Override
  public GroupLimit groupLimit(long firstOffset) {
    return storage.groupLimit(firstOffset);
  }

  @Override
  public void append(List<PLogEvent> group, WriteMode mode) {
    storage.append(group, mode);
  }

  @Override
  public void appendWLog(List<WLogRow> rows, WriteMode mode) {
    storage.appendWLog(rows, mode);
  }

  @Override
  public void putRecords(List<RecordRow> rows, WriteMode newRecords) {
    storage.putRecords(rows, newRecords);
  }

  @Override
  public void commit(CommitGroup group, TrustLevel level) {
    storage.commit(group, level);
  }

  @Override
  public void markCorrupted(long offset) {
    storage.markCorrupted(offset);
  }

  @Override
  public long logEnd() {
    return storage.logEnd();
  }

  @Override
  public void readPLog(long from, PLogVisitor visitor) {
    storage.readPLog(from, visitor);
  }

  @Override
  public void readWLog(long wsid, long from, WLogVisitor visitor) {
    storage.readWLog(wsid, from, visitor);
  }

  @Override
  public @Nullable RecordRow readRecord(long wsid, long recordId) {
    return storage.readRecord(wsid, recordId);
  }
}
