package io.tidemark.tck;

import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.Cancellation;
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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A handle between the engine and the storage under test, whose calls may fail before, after, late
 * or twice. A dead one reaches nothing any more, as after kill -9.
 *
 * <p>A late append arrives before the handle settles, or after another claim: between the two, this
 * object could not send it with the epoch it was made under.
 */
final class FaultyHandle implements IPartitionStorage {
  private final IPartitionStorage real;
  private final Faults faults;
  private final EngineHistory history;
  private final int claim;
  private final List<Runnable> lateAppends = new ArrayList<>();
  private volatile boolean dead;

  FaultyHandle(IPartitionStorage real, Faults faults, EngineHistory history, int claim) {
    this.real = real;
    this.faults = faults;
    this.history = history;
    this.claim = claim;
  }

  IPartitionStorage real() {
    return real;
  }

  void kill() {
    dead = true;
  }

  /** After another claim: what this handle had on its way arrives, too late. */
  void deliverLateAppends() {
    List<Runnable> arriving;
    synchronized (lateAppends) {
      arriving = List.copyOf(lateAppends);
      lateAppends.clear();
    }
    arriving.forEach(Faults::deliver);
  }

  private void requireAlive() {
    if (dead) {
      throw new StorageUnavailableException("the kit killed this owner");
    }
  }

  @Override
  public void append(List<PLogEvent> group, WriteMode mode) {
    requireAlive();
    history.attempted(group, claim);
    Runnable request = () -> real.append(group, mode);
    faults.write("append", request, () -> postpone(request));
    history.acknowledged(group);
  }

  private void postpone(Runnable append) {
    synchronized (lateAppends) {
      lateAppends.add(append);
    }
  }

  @Override
  public void settle() {
    requireAlive();
    List<Runnable> arriving;
    synchronized (lateAppends) {
      arriving = new ArrayList<>(lateAppends);
      lateAppends.clear();
    }
    arriving.removeIf(request -> faults.choose(2) == 0);
    arriving.forEach(Faults::deliver);
    faults.write("settle", real::settle, () -> {});
    history.settled(claim);
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    requireAlive();
    faults.read("read of numbers");
    return real.readNumbers(wsid, seqIds);
  }

  @Override
  public long readNextPLogOffset() {
    requireAlive();
    faults.read("read of the next offset");
    return real.readNextPLogOffset();
  }

  @Override
  public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
    requireAlive();
    SeqValues copy = new SeqValues();
    SeqValues part = new SeqValues();
    for (int i = 0; i < batch.size(); i++) {
      copy.add(batch.wsid(i), batch.seqId(i), batch.number(i));
      if (faults.choose(2) == 0) {
        part.add(batch.wsid(i), batch.seqId(i), batch.number(i));
      }
    }
    if (faults.chance(4)) {
      real.writeValuesAndOffset(part, 1);
      throw new StorageUnavailableException("the kit tore the batch");
    }
    faults.write("write of numbers", () -> real.writeValuesAndOffset(copy, nextOffset));
  }

  @Override
  public void actualizeSequencesFromPLog(
      long from, Cancellation cancellation, ReplayBatcher batcher) {
    requireAlive();
    faults.read("replay");
    real.actualizeSequencesFromPLog(
        from,
        cancellation,
        (values, offset) -> {
          requireAlive();
          faults.read("replay at " + offset);
          batcher.accept(values, offset);
        });
  }

  @Override
  public long logEnd() {
    requireAlive();
    faults.read("read of the log end");
    return real.logEnd();
  }

  @Override
  public void readPLog(long from, PLogVisitor visitor) {
    requireAlive();
    faults.read("read of the log");
    real.readPLog(from, visitor);
  }

  @Override
  public void readWLog(long wsid, long from, WLogVisitor visitor) {
    requireAlive();
    real.readWLog(wsid, from, visitor);
  }

  @Override
  public @Nullable RecordRow readRecord(long wsid, long recordId) {
    requireAlive();
    return real.readRecord(wsid, recordId);
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
  public @Nullable PartitionFailure failure() {
    return real.failure();
  }

  @Override
  public void storeFailure(@Nullable PartitionFailure failure) {
    requireAlive();
    real.storeFailure(failure);
  }

  @Override
  public ISeqGeneration rebuild() {
    requireAlive();
    return real.rebuild();
  }

  @Override
  public GroupLimit groupLimit(long firstOffset) {
    return real.groupLimit(firstOffset);
  }

  @Override
  public void appendWLog(List<WLogRow> rows, WriteMode mode) {
    requireAlive();
    real.appendWLog(rows, mode);
  }

  @Override
  public void putRecords(List<RecordRow> rows, WriteMode newRecords) {
    requireAlive();
    real.putRecords(rows, newRecords);
  }

  @Override
  public void markCorrupted(long offset) {
    requireAlive();
    real.markCorrupted(offset);
  }
}
