package io.tidemark.core;

import io.tidemark.spi.SeqValues;
import java.util.Arrays;

/**
 * Issued numbers by (workspace, sequence); of two numbers for one key the larger stays.
 *
 * <p>They lie in rows: one for each eight neighbouring {@link Places} of a workspace. An event's
 * sequences mostly are neighbours, so one search finds the places of all its numbers. Rows follow
 * each other as they came, so that taking them all is a plain walk. An open-addressing index finds
 * them; it keeps most of each row's hash, so that a search passes other rows without looking at
 * them.
 *
 * <p>One thread fills a queue and another one empties it, in turn. What a processor has written
 * another one fetches slowly, so emptying writes neither index nor rows: entries of the index carry
 * the generation they belong to, and a new row is written whole before anything of it is read.
 */
final class FlushQueue {
  /** The lowest bits of a place tell where in the row it is, the others which row: its block. */
  private static final int PLACE_BITS = 3;

  private static final int PLACES = 1 << PLACE_BITS;
  private static final int FIRST_PLACE = 2; // behind the workspace and the block
  private static final int ROW = FIRST_PLACE + PLACES;
  private static final int FIRST_ROWS = 4;
  private static final int RESERVED = 32;
  private static final int TAG_SHIFT = 32;
  private static final int LAST_GENERATION = 0xFFF;
  private static final int NOWHERE = -1;

  private final Places places;

  /** A tag, then where the row begins. The tag is the row's hash, ending in the generation. */
  private long[] index = {};

  private int generation = 1;
  private long[] rows = {}; // a number of 0 is none
  private int end; // of the last row
  private int size;
  private int recent; // the row merged last: the next event is often of the same workspace

  FlushQueue(Places places) {
    this.places = places;
  }

  /** An empty queue of the same places. */
  FlushQueue another() {
    return new FlushQueue(places);
  }

  /** How many numbers there are. */
  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Makes sure that so many rows can be added without any memory. */
  void reserve(int count) {
    int needed = end + count * ROW;
    if (needed > rows.length) {
      grow(needed / ROW);
    }
  }

  void merge(long wsid, int seqId, long number) {
    reserve(1);
    mergeReserved(wsid, seqId, number);
  }

  private void mergeReserved(long wsid, int seqId, long number) {
    int place = places.of(seqId);
    merge(row(wsid, block(place)) + inRow(place), number);
  }

  /** Merges a number whose place was found. */
  void merge(int at, long number) {
    long old = rows[at];
    if (old < number) {
      rows[at] = number;
      if (old == 0) {
        size++;
      }
    }
  }

  /** Makes room for a few at a time: keys may repeat, and then need none. */
  void mergeAll(SeqValues values) {
    int count = values.size();
    for (int from = 0; from < count; from += RESERVED) {
      int to = Math.min(count, from + RESERVED);
      reserve(to - from);
      for (int i = from; i < to; i++) {
        mergeReserved(values.wsid(i), values.seqId(i), values.number(i));
      }
    }
  }

  /** The block of a place. */
  static int block(int place) {
    return place >>> PLACE_BITS;
  }

  /** Where in its row a place is. */
  static int inRow(int place) {
    return FIRST_PLACE + (place & (PLACES - 1));
  }

  /** The row of a workspace's block; a new one is in room that was reserved. */
  int row(long wsid, int block) {
    int row = recent;
    if (row >= end || rows[row] != wsid || rows[row + 1] != block) {
      row = findOrAdd(wsid, block);
      recent = row;
    }
    return row;
  }

  private int findOrAdd(long wsid, int block) {
    int hash = hash(wsid, block);
    int at = search(hash, wsid, block);
    if (isTaken(at)) {
      return (int) index[at];
    }
    int row = end;
    index[at] = entry(hash, row);
    rows[row] = wsid;
    rows[row + 1] = block;
    Arrays.fill(rows, row + FIRST_PLACE, row + ROW, 0);
    end += ROW;
    return row;
  }

  /** Where in the index the row is, or the empty place where it would be. */
  private int search(int hash, long wsid, int block) {
    int mask = index.length - 1;
    int at = hash & mask;
    int tag = tag(hash);
    while (isTaken(at)) {
      int row = (int) index[at];
      if ((int) (index[at] >>> TAG_SHIFT) == tag && rows[row] == wsid && rows[row + 1] == block) {
        break;
      }
      at = (at + 1) & mask;
    }
    return at;
  }

  private boolean isTaken(int at) {
    return (int) ((index[at] >>> TAG_SHIFT) & LAST_GENERATION) == generation;
  }

  private static int hash(long wsid, int block) {
    return Hash.mix(wsid) + block;
  }

  /** The hash without its lowest bits, which tell little in a place of the index. */
  private int tag(int hash) {
    return (hash & ~LAST_GENERATION) | generation;
  }

  private long entry(int hash, int row) {
    return ((long) tag(hash) << TAG_SHIFT) | row;
  }

  /** Merges everything of {@code other} and empties it. */
  void takeAll(FlushQueue other) {
    reserve(other.end / ROW);
    for (int from = 0; from < other.end; from += ROW) {
      int to = row(other.rows[from], (int) other.rows[from + 1]);
      for (int i = FIRST_PLACE; i < ROW; i++) {
        merge(to + i, other.rows[from + i]);
      }
    }
    other.clear();
  }

  /** Lays the numbers of a workspace over {@code numbers}, one per id; the larger one stays. */
  void overlay(long wsid, int[] seqIds, long[] numbers) {
    if (end == 0) {
      return;
    }
    int block = NOWHERE;
    int row = NOWHERE;
    for (int i = 0; i < seqIds.length; i++) {
      int place = places.of(seqIds[i]);
      if (block(place) != block) {
        block = block(place);
        int at = search(hash(wsid, block), wsid, block);
        row = isTaken(at) ? (int) index[at] : NOWHERE;
      }
      if (row != NOWHERE) {
        numbers[i] = Math.max(numbers[i], rows[row + inRow(place)]);
      }
    }
  }

  void copyTo(SeqValues values) {
    values.clear();
    for (int row = 0; row < end; row += ROW) {
      long wsid = rows[row];
      int firstPlace = (int) rows[row + 1] << PLACE_BITS;
      for (int i = 0; i < PLACES; i++) {
        long number = rows[row + FIRST_PLACE + i];
        if (number != 0) {
          values.add(wsid, places.seqId(firstPlace + i), number);
        }
      }
    }
  }

  void clear() {
    if (end > 0) {
      end = 0;
      size = 0;
      recent = 0;
      if (generation == LAST_GENERATION) {
        Arrays.fill(index, 0);
        generation = 0;
      }
      generation++;
    }
  }

  /** Room for at least so many rows, and an index that is never more than half full. */
  private void grow(int needed) {
    int capacity = FIRST_ROWS;
    while (capacity < needed) {
      capacity *= 2;
    }
    long[] moreRows = Arrays.copyOf(rows, capacity * ROW);
    index = new long[capacity * 2];
    rows = moreRows;
    int mask = index.length - 1;
    for (int row = 0; row < end; row += ROW) {
      int hash = hash(rows[row], (int) rows[row + 1]);
      int at = hash & mask;
      while (isTaken(at)) {
        at = (at + 1) & mask;
      }
      index[at] = entry(hash, row);
    }
  }
}
