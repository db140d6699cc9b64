package io.tidemark.storage.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the volatile part of a store apart: how to undo each change that is not durable yet, and
 * what waits for it to become durable. Needs the store's lock.
 */
final class Journal {
  private record Entry(Runnable undo, Runnable confirm) {}

  private final boolean untilSync;
  private final List<Entry> entries = new ArrayList<>();

  /**
   * A journal.
   *
   * @param untilSync whether changes stay volatile until {@link #sync}; else each is durable at
   *     once
   */
  Journal(boolean untilSync) {
    this.untilSync = untilSync;
  }

  /** Notes a change that was just made. */
  void changed(Runnable undo) {
    if (untilSync) {
      entries.add(new Entry(undo, Journal::nothing));
    }
  }

  /** Does {@code confirm} as soon as what was changed so far is durable. */
  void whenDurable(Runnable confirm) {
    if (untilSync) {
      entries.add(new Entry(Journal::nothing, confirm));
    } else {
      confirm.run();
    }
  }

  void sync() {
    for (Entry entry : entries) {
      entry.confirm().run();
    }
    entries.clear();
  }

  void crash() {
    for (int i = entries.size() - 1; i >= 0; i--) {
      entries.get(i).undo().run();
    }
    entries.clear();
  }

  private static void nothing() {}
}
