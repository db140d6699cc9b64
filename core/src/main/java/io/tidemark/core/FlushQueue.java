package io.tidemark.core;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.tidemark.spi.SeqValues;
import java.util.Arrays;

/**
 * Issued numbers by (workspace, sequence); of two numbers for one key the larger stays.
 *
 * <p>The entries lie one after another, as they came, so that taking them all is a plain walk. An
 * open-addressing index finds them. It keeps each key's hash, so that a search passes other keys
 * without looking at them; the hash is the workspace's plus a little of the sequence, so that the
 * numbers of one event lie within one or two cache lines of the index.
 *
 * <p>Events of one kind mostly touch the same sequences in the same order. So the entry after the
 * one merged last is looked at first, and of an event whose workspace is here already only the
 * first number is searched for.
 */
final class FlushQueue {
  private static final int FIRST_CAPACITY = 16;

  /** Of an entry: workspace, sequence and number. */
  private static final int ENTRY = 3;

  private static final int SPREAD = 7;
  private static final int HASH_SHIFT = 32;

  private long[] index = {}; // a key's hash, then where its entry begins, plus 1; 0 = empty
  private long[] entries = {};
  private int end; // of the last entry
  private int size;
  private int likely; // the entry to look at first

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Merges the last numbers of an event's touched cells. */
  void merge(long wsid, Cell[] cells, int[] touched, int count) {
    int at = likely;
    int merged = 0;
    if (at + count * ENTRY <= end) {
      long[] run = entries;
      while (merged < count) {
        Cell cell = cells[touched[merged]];
        if (run[at] != wsid || run[at + 1] != cell.seqId) {
          break;
        }
        run[at + 2] = Math.max(run[at + 2], cell.last);
        at += ENTRY;
        merged++;
      }
    }
    if (merged < count) {
      search(wsid, cells, touched, count);
    }
  }

  private void search(long wsid, Cell[] cells, int[] touched, int count) {
    int first = merge(wsid, cells[touched[0]].seqId, cells[touched[0]].last);
    for (int i = 1; i < count; i++) {
      Cell cell = cells[touched[i]];
      merge(wsid, cell.seqId, cell.last);
    }
    likely = first;
  }

  /** Answers where the entry lies. */
  @CanIgnoreReturnValue
  int merge(long wsid, long seqId, long number) {
    int at = likely;
    if (at >= end || entries[at] != wsid || entries[at + 1] != seqId) {
      at = findOrAdd(wsid, seqId);
    }
    if (entries[at + 2] < number) {
      entries[at + 2] = number;
    }
    likely = at + ENTRY;
    return at;
  }

  private int findOrAdd(long wsid, long seqId) {
    if (end == entries.length) {
      grow();
    }
    int hash = hash(wsid, seqId);
    int place = place(hash, wsid, seqId);
    if (index[place] != 0) {
      return (int) index[place] - 1;
    }
    int at = end;
    index[place] = packed(hash, at);
    entries[at] = wsid;
    entries[at + 1] = seqId;
    entries[at + 2] = 0;
    end += ENTRY;
    size++;
    return at;
  }

  /** Where in the index the key is, or the empty place where it would be. */
  private int place(int hash, long wsid, long seqId) {
    int mask = index.length - 1;
    int place = hash & mask;
    for (long found = index[place]; found != 0; found = index[place]) {
      int at = (int) found - 1;
      if ((int) (found >>> HASH_SHIFT) == hash && entries[at] == wsid && entries[at + 1] == seqId) {
        break;
      }
      place = (place + 1) & mask;
    }
    return place;
  }

  private static int hash(long wsid, long seqId) {
    return Hash.mix(wsid) + (int) (seqId & SPREAD);
  }

  private static long packed(int hash, int at) {
    return ((long) hash << HASH_SHIFT) | (at + 1);
  }

  /** Merges everything of {@code other} and empties it. */
  void takeAll(FlushQueue other) {
    for (int at = 0; at < other.end; at += ENTRY) {
      merge(other.entries[at], other.entries[at + 1], other.entries[at + 2]);
    }
    other.clear();
  }

  /** Lays the numbers of a workspace over {@code numbers}, one per id; the larger one stays. */
  void overlay(long wsid, int[] seqIds, long[] numbers) {
    if (end == 0) {
      return;
    }
    for (int i = 0; i < seqIds.length; i++) {
      long found = index[place(hash(wsid, seqIds[i]), wsid, seqIds[i])];
      if (found != 0) {
        numbers[i] = Math.max(numbers[i], entries[(int) found + 1]);
      }
    }
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
      size = 0;
      likely = 0;
    }
  }

  /** Doubles the entries, and an index that is never more than half full. */
  private void grow() {
    int capacity = Math.max(FIRST_CAPACITY, 2 * size);
    entries = Arrays.copyOf(entries, capacity * ENTRY);
    index = new long[capacity * 2];
    int mask = index.length - 1;
    for (int at = 0; at < end; at += ENTRY) {
      int hash = hash(entries[at], entries[at + 1]);
      int place = hash & mask;
      while (index[place] != 0) {
        place = (place + 1) & mask;
      }
      index[place] = packed(hash, at);
    }
  }
}
