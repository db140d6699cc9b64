package io.tidemark.tck;

import io.tidemark.spi.Cancellation;
import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.ReplayBatcher;
import io.tidemark.spi.SeqValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Four methods beside a list that serves as a log: what somebody with their own log writes. */
final class OwnLogTckTest extends SequencesTck {
  private OwnStorage storage = new OwnStorage();

  @Override
  public ISeqStorage openFresh() {
    storage = new OwnStorage();
    return storage;
  }

  @Override
  public ISeqStorage reopen() {
    storage = storage.reopened();
    return storage;
  }

  @Override
  public void appendToLog(long offset, SeqValues numbers) {
    storage.append(numbers);
  }

  /** A map and a list. */
  static class OwnStorage implements ISeqStorage {
    private final Map<String, Long> numbers = new HashMap<>();
    private final List<SeqValues> log = new ArrayList<>();
    private long nextOffset = 1;

    synchronized void append(SeqValues event) {
      log.add(event);
    }

    synchronized long logEnd() {
      return log.size();
    }

    /** What is in this object is durable: opening it again answers it. */
    OwnStorage reopened() {
      return this;
    }

    synchronized void force(long wsid, int seqId, long number) {
      numbers.put(wsid + "/" + seqId, number);
    }

    synchronized void forget() {
      numbers.clear();
    }

    @Override
    public synchronized long[] readNumbers(long wsid, int[] seqIds) {
      long[] answer = new long[seqIds.length];
      for (int i = 0; i < seqIds.length; i++) {
        answer[i] = numbers.getOrDefault(wsid + "/" + seqIds[i], 0L);
      }
      return answer;
    }

    @Override
    public synchronized long readNextPLogOffset() {
      return nextOffset;
    }

    @Override
    public synchronized void writeValuesAndOffset(SeqValues batch, long offset) {
      for (int i = 0; i < batch.size(); i++) {
        numbers.merge(batch.wsid(i) + "/" + batch.seqId(i), batch.number(i), Math::max);
      }
      nextOffset = Math.max(nextOffset, offset);
    }

    @Override
    public void actualizeSequencesFromPLog(
        long from, Cancellation cancellation, ReplayBatcher batcher) {
      List<SeqValues> events;
      synchronized (this) {
        events = List.copyOf(log);
      }
      for (long offset = from; offset <= events.size(); offset++) {
        cancellation.check();
        batcher.accept(events.get((int) offset - 1), offset);
      }
      cancellation.check();
    }
  }
}
