package io.tidemark.spi;

import java.util.Arrays;

/**
 * A growing list of (workspace, sequence, number), kept as primitives and reusable after {@link
 * #clear}.
 *
 * <p><b>Threads.</b> For one thread at a time.
 */
public final class SeqValues {
  private long[] wsids;
  private int[] seqIds;
  private long[] numbers;
  private int size;

  /** An empty list. */
  public SeqValues() {
    this(8);
  }

  /** An empty list with room for {@code capacity} values. */
  public SeqValues(int capacity) {
    wsids = new long[capacity];
    seqIds = new int[capacity];
    numbers = new long[capacity];
  }

  /** Adds a value. */
  public SeqValues add(long wsid, int seqId, long number) {
    if (size == wsids.length) {
      int capacity = Math.max(8, size * 2);
      wsids = Arrays.copyOf(wsids, capacity);
      seqIds = Arrays.copyOf(seqIds, capacity);
      numbers = Arrays.copyOf(numbers, capacity);
    }
    wsids[size] = wsid;
    seqIds[size] = seqId;
    numbers[size++] = number;
    return this;
  }

  /** Forgets all values, keeping the room. */
  public void clear() {
    size = 0;
  }

  /** How many values there are. */
  public int size() {
    return size;
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** The workspace of value {@code i}. */
  public long wsid(int i) {
    return wsids[checked(i)];
  }

  /** The sequence of value {@code i}. */
  public int seqId(int i) {
    return seqIds[checked(i)];
  }

  /** The number of value {@code i}. */
  public long number(int i) {
    return numbers[checked(i)];
  }

  private int checked(int i) {
    if (i >= size) {
      throw new IndexOutOfBoundsException("value " + i + " of " + size);
    }
    return i;
  }

  /** For messages: the first few values. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < Math.min(size, 10); i++) {
      text.append(i == 0 ? "" : ", ").append(Long.toUnsignedString(wsids[i]));
      text.append('/').append(seqIds[i]).append('=').append(numbers[i]);
    }
    return text.append(size > 10 ? ", … " + size + " in all]" : "]").toString();
  }
}
