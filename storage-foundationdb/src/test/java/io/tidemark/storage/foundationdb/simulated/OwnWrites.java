package io.tidemark.storage.foundationdb.simulated;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A transaction's own writes, as its reads must see them. */
final class OwnWrites {
  /** What became of one key. */
  private static final class KeyWrites {
    /** Whether the value is known whatever the database holds. */
    boolean known;

    byte @Nullable [] value;

    /** What is still to be applied to the database's value. */
    final List<Mutation> pending = new ArrayList<>();
  }

  private final NavigableMap<byte[], KeyWrites> keys = new TreeMap<>(Arrays::compareUnsigned);
  private final List<KeyRange> cleared = new ArrayList<>();

  void add(Mutation mutation) {
    if (mutation.value() == null) {
      keys.subMap(mutation.range().begin(), mutation.range().end()).clear();
      cleared.add(mutation.range());
      return;
    }
    KeyWrites writes = keys.get(mutation.key());
    if (writes == null) {
      writes = new KeyWrites();
      writes.known = isCleared(mutation.key());
      keys.put(mutation.key(), writes);
    }
    if (mutation.type() == null || writes.known) {
      writes.value = mutation.applyTo(writes.value);
      writes.known = true;
      writes.pending.clear();
    } else {
      writes.pending.add(mutation);
    }
  }

  private boolean isCleared(byte[] key) {
    return cleared.stream().anyMatch(range -> range.contains(key));
  }

  /** The key's value, given the database's. */
  byte @Nullable [] value(byte[] key, byte @Nullable [] stored) {
    KeyWrites writes = keys.get(key);
    if (writes == null) {
      return isCleared(key) ? null : stored;
    }
    if (writes.known) {
      return writes.value;
    }
    byte[] value = stored;
    for (Mutation mutation : writes.pending) {
      value = mutation.applyTo(value);
    }
    return value;
  }

  byte @Nullable [] ceilingKey(byte[] from) {
    return keys.ceilingKey(from);
  }

  byte @Nullable [] lowerKey(byte[] before) {
    return keys.lowerKey(before);
  }

  /** The parts of a range whose content depends on the database: the others cannot conflict. */
  List<KeyRange> dependent(KeyRange range) {
    List<KeyRange> parts = List.of(range);
    for (KeyRange gone : cleared) {
      parts = minus(parts, gone);
    }
    for (var entry : keys.subMap(range.begin(), range.end()).entrySet()) {
      if (entry.getValue().known) {
        parts = minus(parts, KeyRange.ofKey(entry.getKey()));
      }
    }
    return parts;
  }

  private static List<KeyRange> minus(List<KeyRange> parts, KeyRange gone) {
    List<KeyRange> rest = new ArrayList<>();
    parts.forEach(part -> rest.addAll(part.minus(gone)));
    return rest;
  }
}
