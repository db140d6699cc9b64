package io.tidemark.core;

import io.tidemark.spi.SeqValues;
import java.util.Arrays;

/**
 * Issued numbers by (workspace, sequence); of two numbers for one key the larger stays.
 *
 * <p>The entries lie one after another, as they came, so that taking them all is a plain walk. An
 * open-addressing index finds them; a key's home is its workspace's hash plus its sequence, so that
 * the numbers of one event cost one hash and mostly one cache line.
 */
final class FlushQueue {
  private static final int FIRST_CAPACITY = 16;

  /** Of an entry: workspace, sequence and number. */
  private static final int ENTRY = 3;

  private int[] index = {}; // where an entry begins, plus 1; 0 = empty
  private long[] entries = {};
  private int end; // of the last entry

  int size() {
    return end / ENTRY;
  }

  boolean isEmpty() {
    return end == 0;
  }

  void merge(long wsid, int seqId, long number) {
    merge(Hash.mix(wsid), wsid, seqId, number);
  }

  /** The same, for a workspace whose hash is known. */
  void merge(int hash, long wsid, int seqId, long number) {
    if (end == entries.length) {
      grow();
    }
    int mask = index.length - 1;
    int i = hash + seqId & mask;
    for (int at = index[i] - 1; at >= 0; at = index[i] - 1) {
      if (entries[at] == wsid && entries[at + 1] == seqId) {
        if (entries[at + 2] < number) {
          entries[at + 2] = number;
        }
        return;
      }
      i = i + 1 & mask;
    }
    index[i] = end + 1;
    entries[end] = wsid;
    entries[end + 1] = seqId;
    entries[end + 2] = number;
    end += ENTRY;
  }

  /** Merges everything of {@code other} and empties it. */
  void takeAll(FlushQueue other) {
    for (int at = 0; at < other.end; at += ENTRY) {
      merge(other.entries[at], (int) other.entries[at + 1], other.entries[at + 2]);
    }
    other.clear();
  }

  /** The number of a key, 0 if it is not here. */
  long get(long wsid, int seqId) {
    if (end > 0) {
      int mask = index.length - 1;
      int i = Hash.mix(wsid) + seqId & mask;
      for (int at = index[i] - 1; at >= 0; at = index[i] - 1) {
        if (entries[at] == wsid && entries[at + 1] == seqId) {
          return entries[at + 2];
        }
        i = i + 1 & mask;
      }
    }
    return 0;
  }

  void copyTo(SeqValues values) {
    values.clear();
    for (int at = 0; at < end; at += ENTRY) {
      values.add(entries[at], (int) entries[at + 1], entries[at + 2]);
    }
  }

  void clear() {
    if (end > 0) {
      Arrays.fill(index, 0);
      end = 0;
    }
  }

  /** Doubles the entries, and an index that is never more than half full. */
  private void grow() {
    int capacity = Math.max(FIRST_CAPACITY, 2 * size());
    entries = Arrays.copyOf(entries, capacity * ENTRY);
    index = new int[capacity * 2];
    int mask = index.length - 1;
    for (int at = 0; at < end; at += ENTRY) {
      int i = Hash.mix(entries[at]) + (int) entries[at + 1] & mask;
      while (index[i] != 0) {
        i = i + 1 & mask;
      }
      index[i] = at + 1;
    }
  }
}
