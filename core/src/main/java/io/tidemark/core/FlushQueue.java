package io.tidemark.core;

import io.tidemark.spi.SeqValues;
import java.util.Arrays;

/** Issued numbers by (workspace, sequence); of two numbers for one key the larger stays. */
final class FlushQueue {
  private static final int FIRST_CAPACITY = 16;

  private long[] wsids = {};
  private int[] seqIds = {}; // 0 = empty
  private long[] numbers = {};
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  void merge(long wsid, int seqId, long number) {
    if (size * 2 >= seqIds.length) {
      grow();
    }
    int i = probe(wsid, seqId);
    if (seqIds[i] == 0) {
      wsids[i] = wsid;
      seqIds[i] = seqId;
      numbers[i] = number;
      size++;
    } else if (numbers[i] < number) {
      numbers[i] = number;
    }
  }

  /** Merges everything of {@code other} and empties it. */
  void takeAll(FlushQueue other) {
    for (int i = 0; i < other.seqIds.length; i++) {
      if (other.seqIds[i] != 0) {
        merge(other.wsids[i], other.seqIds[i], other.numbers[i]);
      }
    }
    other.clear();
  }

  /** The number of a key, 0 if it is not here. */
  long get(long wsid, int seqId) {
    if (size == 0) {
      return 0;
    }
    int i = probe(wsid, seqId);
    return seqIds[i] == 0 ? 0 : numbers[i];
  }

  void copyTo(SeqValues values) {
    values.clear();
    for (int i = 0; i < seqIds.length; i++) {
      if (seqIds[i] != 0) {
        values.add(wsids[i], seqIds[i], numbers[i]);
      }
    }
  }

  void clear() {
    if (size > 0) {
      Arrays.fill(seqIds, 0);
      size = 0;
    }
  }

  private int probe(long wsid, int seqId) {
    int mask = seqIds.length - 1;
    int i = Hash.mix(wsid + seqId * 0x632BE59BD9B4E019L) & mask;
    while (seqIds[i] != 0 && (seqIds[i] != seqId || wsids[i] != wsid)) {
      i = i + 1 & mask;
    }
    return i;
  }

  private void grow() {
    long[] oldWsids = wsids;
    int[] oldSeqIds = seqIds;
    long[] oldNumbers = numbers;
    int capacity = Math.max(FIRST_CAPACITY, oldSeqIds.length * 2);
    wsids = new long[capacity];
    seqIds = new int[capacity];
    numbers = new long[capacity];
    for (int i = 0; i < oldSeqIds.length; i++) {
      if (oldSeqIds[i] != 0) {
        int at = probe(oldWsids[i], oldSeqIds[i]);
        wsids[at] = oldWsids[i];
        seqIds[at] = oldSeqIds[i];
        numbers[at] = oldNumbers[i];
      }
    }
  }
}
