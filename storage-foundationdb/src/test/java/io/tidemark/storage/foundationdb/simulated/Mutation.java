package io.tidemark.storage.foundationdb.simulated;

import com.apple.foundationdb.MutationType;
import org.jspecify.annotations.Nullable;

/**
 * One write of a transaction.
 *
 * @param range the keys it touches; a single one unless it clears
 * @param value what is set, or the parameter; null = clear
 * @param type the atomic mutation; null = set or clear
 */
@SuppressWarnings("ArrayRecordComponent") // never compared by value
record Mutation(KeyRange range, byte @Nullable [] value, @Nullable MutationType type) {

  static Mutation set(byte[] key, byte[] value) {
    return new Mutation(KeyRange.ofKey(key), value, null);
  }

  static Mutation clear(KeyRange range) {
    return new Mutation(range, null, null);
  }

  static Mutation atomic(MutationType type, byte[] key, byte[] param) {
    return new Mutation(KeyRange.ofKey(key), param, type);
  }

  byte[] key() {
    return range.begin();
  }

  int bytes() {
    return range.begin().length + (value == null ? range.end().length : value.length);
  }

  /** The value of its one key after it. */
  byte @Nullable [] applyTo(byte @Nullable [] old) {
    return type == null || value == null ? value : AtomicOperations.apply(type, old, value);
  }
}
