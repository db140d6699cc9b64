package io.tidemark.storage.memory;

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
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.WLogRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An owner's handle. Its requests carry the term they were sent in; see {@link Requests}. */
final class MemoryPartition extends MemoryLogReader implements IPartitionStorage {
  private final int partition;
  private final long generation;

  /** Changed under the lock. */
  private volatile Term term;

  MemoryPartition(
      MemoryAppStorage app, PartitionState state, int partition, Epoch epoch, long generation) {
    super(app, state);
    this.partition = partition;
    this.generation = generation;
    this.term = new Term(epoch, null);
  }

  /** A write as an owner sends it. */
  interface OwnedWrite {
    void run(Term sent);
  }

  final void write(StorageCall call, OwnedWrite request) {
    app.step(
        () -> {
          Term sent = term;
          app.write(call, state, () -> request.run(sent));
        });
  }

  boolean isOf(MemoryAppStorage other) {
    return app == other;
  }

  @Override
  public int partition() {
    return partition;
  }

  @Override
  public Epoch epoch() {
    return term.epoch();
  }

  @Override
  public void settle() {
    app.step(
        () -> {
          Epoch from = term.epoch();
          // A repeated settle repeats its target: whichever of the two arrives, the handle knows.
          Epoch undecided = term.undecided();
          Epoch to = undecided != null ? undecided : from.next(app.newClaimId());
          term = new Term(from, to);
          app.write(
              StorageCall.SETTLE, state, () -> state.move(from, to, null, StorageCall.SETTLE));
          term = new Term(to, null);
        });
  }

  @Override
  public @Nullable PartitionFailure failure() {
    return read(StorageCall.READ_META, state::failure);
  }

  @Override
  public void storeFailure(@Nullable PartitionFailure failure) {
    app.step(
        () -> {
          long changes = state.failureChanges();
          write(StorageCall.STORE_FAILURE, sent -> state.storeFailure(sent, failure, changes));
        });
  }

  @Override
  public ISeqGeneration rebuild() {
    return app.atomically(
        () -> {
          long target = state.generationToBuild();
          write(StorageCall.REBUILD, sent -> state.startBuilding(sent, target));
          return new MemoryGeneration(this, target);
        });
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    return read(StorageCall.READ_SEQ_DATA, () -> state.seqData(generation).read(wsid, seqIds));
  }

  @Override
  public long readNextPLogOffset() {
    return read(StorageCall.READ_SEQ_DATA, () -> state.seqData(generation).nextOffset());
  }

  @Override
  public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
    app.write(StorageCall.WRITE_SEQ_DATA, state, seqDataRequest(batch, nextOffset));
  }

  Runnable seqDataRequest(SeqValues batch, long nextOffset) {
    return seqDataRequest(generation, batch, nextOffset);
  }

  Runnable seqDataRequest(long target, SeqValues batch, long nextOffset) {
    requireOffset("nextOffset", nextOffset);
    SeqValues copy = new SeqValues(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      copy.add(batch.wsid(i), batch.seqId(i), batch.number(i));
    }
    return () -> state.writeSeqData(target, copy, nextOffset);
  }

  @Override
  public GroupLimit groupLimit(long firstOffset) {
    requireOffset("firstOffset", firstOffset);
    return app.groupLimit();
  }

  @Override
  public void append(List<PLogEvent> group, WriteMode mode) {
    Append append = Append.of(group, requireNonNull(mode, "mode"), app.groupLimit());
    write(StorageCall.APPEND, sent -> state.append(sent, append));
  }

  @Override
  public void appendWLog(List<WLogRow> rows, WriteMode mode) {
    requireNonNull(mode, "mode");
    List<WLogRow> copies = Rows.copyWLog(rows);
    write(
        StorageCall.APPEND_WLOG,
        sent -> {
          state.log().checkWLog(copies, mode);
          state.log().writeWLog(copies);
        });
  }

  @Override
  public void putRecords(List<RecordRow> rows, WriteMode newRecords) {
    requireNonNull(newRecords, "newRecords");
    List<RecordRow> copies = Rows.copyRecords(rows);
    write(
        StorageCall.PUT_RECORDS,
        sent -> {
          state.log().checkRecords(copies, newRecords);
          state.log().writeRecords(copies);
        });
  }

  @Override
  public void commit(CommitGroup group, TrustLevel level) {
    Append append = Append.of(group.events(), level.events(), app.groupLimit());
    List<RecordRow> records = Rows.copyRecords(group.records());
    List<WLogRow> wlog = Rows.copyWLog(group.wlog());
    write(StorageCall.COMMIT, sent -> state.commit(sent, append, records, wlog, level));
  }

  @Override
  public void markCorrupted(long offset) {
    requireOffset("offset", offset);
    write(StorageCall.MARK_CORRUPTED, sent -> state.markCorrupted(sent, offset));
  }

  @Override
  public String toString() {
    return state + " at epoch " + epoch();
  }
}
