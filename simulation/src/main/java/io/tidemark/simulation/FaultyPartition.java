package io.tidemark.simulation;

import io.tidemark.api.FencedException;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.EventHeader;
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
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A handle whose every call is a step of the world and may go wrong. */
class FaultyPartition implements IPartitionStorage {
  private final Network network;
  private final History history;
  private final IPartitionStorage real;
  private int claim;
  private boolean fenced;

  FaultyPartition(Network network, History history, IPartitionStorage real) {
    this.network = network;
    this.history = history;
    this.real = real;
  }

  /** Its claim is about to return, with this place among all claims. */
  final void claimed(int order) {
    claim = order;
    history.claimed(order);
  }

  /** Its place among claims. */
  final int claim() {
    return claim;
  }

  boolean isFenced() {
    return fenced;
  }

  IPartitionStorage real() {
    return real;
  }

  @Override
  public void append(List<PLogEvent> group, WriteMode mode) {
    Network.Late late = new Network.Late(StorageCall.APPEND, epoch(), contents(group));
    fencing(
        () ->
            network.write(
                late,
                () -> {
                  group.forEach(event -> history.attempted(event, claim));
                  real.append(group, mode);
                }));
    group.forEach(history::acknowledged);
  }

  @Override
  public void settle() {
    fencing(() -> network.write(new Network.Late(StorageCall.SETTLE, epoch(), 0), real::settle));
    history.settled(claim);
  }

  /** Stands for all that these events hold, apart from who wrote them. */
  static long contents(List<PLogEvent> events) {
    long hash = 0;
    for (PLogEvent event : events) {
      EventHeader header = event.header();
      hash = Mix.of(hash, event.offset());
      hash = Mix.of(Mix.of(hash, header.wsid()), header.touches().hashCode());
      hash = Mix.of(hash, Arrays.hashCode(event.payload()));
    }
    return hash;
  }

  private static long contents(SeqValues batch) {
    long hash = 0;
    for (int i = 0; i < batch.size(); i++) {
      hash = Mix.of(Mix.of(hash, batch.wsid(i)), Mix.of(batch.seqId(i), batch.number(i)));
    }
    return hash;
  }

  /** Whether nobody has claimed since. */
  final boolean isLatest() {
    return claim == history.lastClaim();
  }

  final void fencing(Runnable call) {
    fencing(
        () -> {
          call.run();
          return fenced;
        });
  }

  /** Nobody is fenced unless somebody has tried to claim since. */
  final <T> T fencing(Supplier<T> call) {
    try {
      return call.get();
    } catch (FencedException e) {
      fenced = true;
      if (!history.mayBeFenced(claim)) {
        history.report(
            new Violation("I11", "fenced, but nobody has claimed since: " + e.getMessage()));
      }
      throw e;
    }
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    return fencing(
        () -> network.read(StorageCall.READ_SEQ_DATA, wsid, () -> real.readNumbers(wsid, seqIds)));
  }

  @Override
  public long readNextPLogOffset() {
    return fencing(() -> network.read(StorageCall.READ_SEQ_DATA, real::readNextPLogOffset));
  }

  @Override
  public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
    network.refuseIfBad(partition());
    if (network.isTorn()) {
      SeqValues part = network.someOf(batch);
      network.write(StorageCall.WRITE_SEQ_DATA, () -> real.writeValuesAndOffset(part, 1));
      throw network.torn();
    }
    Network.Late what =
        new Network.Late(
            StorageCall.WRITE_SEQ_DATA, Epoch.NONE, Mix.of(contents(batch), nextOffset));
    network.write(what, () -> real.writeValuesAndOffset(batch, nextOffset));
  }

  @Override
  public void actualizeSequencesFromPLog(
      long from, Cancellation cancellation, ReplayBatcher batcher) {
    network.read(StorageCall.READ_LOG, from, () -> 0);
    real.actualizeSequencesFromPLog(
        from,
        cancellation,
        (values, offset) -> {
          network.step();
          network.saw(values, offset);
          batcher.accept(values, offset);
        });
  }

  @Override
  public long logEnd() {
    return network.read(StorageCall.READ_LOG, real::logEnd);
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
    network.write(StorageCall.STORE_FAILURE, () -> real.storeFailure(failure));
  }

  @Override
  public ISeqGeneration rebuild() {
    ISeqGeneration building =
        fencing(() -> network.answered(Network.Late.of(StorageCall.REBUILD), real::rebuild));
    return new ISeqGeneration() {
      @Override
      public long generation() {
        return building.generation();
      }

      @Override
      public long nextOffset() {
        return network.read(StorageCall.READ_SEQ_DATA, building::nextOffset);
      }

      @Override
      public void write(SeqValues batch, long nextOffset) {
        network.write(StorageCall.WRITE_SEQ_DATA, () -> building.write(batch, nextOffset));
      }

      @Override
      public void activate() {
        fencing(() -> network.write(StorageCall.ACTIVATE, building::activate));
      }
    };
  }

  @Override
  public GroupLimit groupLimit(long firstOffset) {
    return real.groupLimit(firstOffset);
  }

  @Override
  public void appendWLog(List<WLogRow> rows, WriteMode mode) {
    network.write(StorageCall.APPEND_WLOG, () -> real.appendWLog(rows, mode));
  }

  @Override
  public void putRecords(List<RecordRow> rows, WriteMode newRecords) {
    network.write(StorageCall.PUT_RECORDS, () -> real.putRecords(rows, newRecords));
  }

  @Override
  public void markCorrupted(long offset) {
    network.write(StorageCall.MARK_CORRUPTED, () -> real.markCorrupted(offset));
  }
}
