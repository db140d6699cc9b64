package io.tidemark.storage.foundationdb.simulated;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The keys from {@code begin} until before {@code end}, as unsigned bytes.
 *
 * @param begin the first key
 * @param end the first key behind it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared by value
record KeyRange(byte[] begin, byte[] end) {

  static KeyRange ofKey(byte[] key) {
    return new KeyRange(key, after(key));
  }

  /** The very next key. */
  static byte[] after(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  boolean isEmpty() {
    return Arrays.compareUnsigned(begin, end) >= 0;
  }

  boolean contains(byte[] key) {
    return Arrays.compareUnsigned(begin, key) <= 0 && Arrays.compareUnsigned(key, end) < 0;
  }

  boolean intersects(KeyRange other) {
    return Arrays.compareUnsigned(begin, other.end) < 0
        && Arrays.compareUnsigned(other.begin, end) < 0;
  }

  int bytes() {
    return begin.length + end.length;
  }

  /** What of this range is not in {@code other}. */
  List<KeyRange> minus(KeyRange other) {
    if (!intersects(other)) {
      return List.of(this);
    }
    List<KeyRange> rest = new ArrayList<>(2);
    KeyRange before = new KeyRange(begin, other.begin);
    KeyRange behind = new KeyRange(other.end, end);
    if (!before.isEmpty()) {
      rest.add(before);
    }
    if (!behind.isEmpty()) {
      rest.add(behind);
    }
    return rest;
  }
}
