package io.tidemark.storage.memory;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rows in key order, each change noted in the journal. Needs the store's lock. */
final class Table<K extends Comparable<K>, V> {
  /** The most rows of a page: what a scan holds at a time. */
  static final int PAGE = 256;

  private final NavigableMap<K, V> rows = new TreeMap<>();
  private final Journal journal;
  private final Function<V, K> keyOf;

  Table(Journal journal, Function<V, K> keyOf) {
    this.journal = journal;
    this.keyOf = keyOf;
  }

  K keyOf(V row) {
    return keyOf.apply(row);
  }

  @Nullable V get(K key) {
    return rows.get(key);
  }

  void put(V row) {
    K key = keyOf(row);
    V old = rows.put(key, row);
    journal.changed(() -> restore(key, old));
  }

  boolean remove(K key) {
    V old = rows.remove(key);
    if (old == null) {
      return false;
    }
    journal.changed(() -> restore(key, old));
    return true;
  }

  private void restore(K key, @Nullable V old) {
    if (old == null) {
      rows.remove(key);
    } else {
      rows.put(key, old);
    }
  }

  @Nullable K lastKey() {
    return rows.isEmpty() ? null : rows.lastKey();
  }

  /** The first rows from {@code from} on, at most {@link #PAGE}; fewer mean there are no more. */
  List<V> page(K from, boolean inclusive) {
    List<V> page = new ArrayList<>();
    Iterator<V> tail = rows.tailMap(from, inclusive).values().iterator();
    while (page.size() < PAGE && tail.hasNext()) {
      page.add(tail.next());
    }
    return page;
  }

  List<V> all() {
    return List.copyOf(rows.values());
  }
}
