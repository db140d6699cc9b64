package io.tidemark.bench;

import io.tidemark.spi.Cancellation;
import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.ReplayBatcher;
import io.tidemark.spi.SeqValues;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers in flat arrays and a log that is made up as it is read: the cheapest storage there can
 * be, so that only the engine is measured. It has no lock: the engine writes one batch at a time.
 */
final class FlatSeqStorage implements ISeqStorage {
  private static final VarHandle NUMBERS = MethodHandles.arrayElementVarHandle(long[].class);
  static final int KIND = 1;
  static final int FIRST = 256;

  private final int workspaces;
  private final int stride; // the sequences, then the workspace's kind
  private final long events;
  private final long[] numbers;
  private volatile long nextOffset = 1;
  private final AtomicLong writes = new AtomicLong();

  /** Numbers of {@code sequences} sequences a workspace, and a log of {@code events} events. */
  FlatSeqStorage(int workspaces, int sequences, long events) {
    this.workspaces = workspaces;
    this.stride = sequences + 1;
    this.events = events;
    this.numbers = new long[workspaces * stride];
  }

  private int index(long wsid, int seqId) {
    return (int) wsid * stride + (seqId < FIRST ? stride - 1 : seqId - FIRST);
  }

  /** How many times numbers were written. */
  long writes() {
    return writes.get();
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    long[] answer = new long[seqIds.length];
    for (int i = 0; i < seqIds.length; i++) {
      answer[i] = (long) NUMBERS.getAcquire(numbers, index(wsid, seqIds[i]));
    }
    return answer;
  }

  @Override
  public long readNextPLogOffset() {
    return nextOffset;
  }

  @Override
  public void writeValuesAndOffset(SeqValues batch, long offset) {
    for (int i = 0; i < batch.size(); i++) {
      int at = index(batch.wsid(i), batch.seqId(i));
      NUMBERS.setRelease(numbers, at, Math.max(numbers[at], batch.number(i)));
    }
    nextOffset = Math.max(nextOffset, offset);
    writes.incrementAndGet();
  }

  @Override
  public void actualizeSequencesFromPLog(
      long from, Cancellation cancellation, ReplayBatcher batcher) {
    Xorshift random = new Xorshift();
    SeqValues values = new SeqValues();
    for (long offset = from; offset <= events; offset++) {
      cancellation.check();
      long wsid = random.below(workspaces);
      values.clear();
      values.add(wsid, 5, KIND);
      for (int i = 0; i < stride - 1; i++) {
        values.add(wsid, FIRST + i, offset);
      }
      batcher.accept(values, offset);
    }
    cancellation.check();
  }
}
