package io.tidemark.storage.memory;

import io.tidemark.api.FencedException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.ISequenceStorage.CatalogEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The SQL-like sequences of one application. Needs the lock.
 *
 * <p>Only durable values are kept: a committed one waits in the journal, where a crash drops it, so
 * that nothing is ever weighed against a value that may yet be lost.
 */
final class SequenceState {
  private final String application;
  private final Journal journal;
  private final Table<Long, CatalogEntry> catalog;
  private final Map<Long, VersionedValue> durable = new HashMap<>();
  private long claim;
  private String owner = "";

  /** Not journaled: neither a rollback nor a crash makes an id or a claim come again. */
  private long lastId;

  private long lastClaim;

  SequenceState(String application, Journal journal) {
    this.application = application;
    this.journal = journal;
    catalog = new Table<>(journal, CatalogEntry::id);
  }

  long claim() {
    return claim;
  }

  long newClaim() {
    return ++lastClaim;
  }

  long newId() {
    return ++lastId;
  }

  void move(long from, long to, String newOwner) {
    if (claim == to) {
      return;
    }
    requireClaim(from, "claim");
    String oldOwner = owner;
    claim = to;
    owner = newOwner;
    journal.changed(
        () -> {
          claim = from;
          owner = oldOwner;
        });
  }

  void requireClaim(long held, String what) {
    if (claim != held) {
      throw new FencedException(
          "%s of %s under claim %d is fenced: owner '%s' holds them with claim %d"
              .formatted(what, this, held, owner, claim));
    }
  }

  boolean exists(long id) {
    return catalog.get(id) != null;
  }

  List<CatalogEntry> catalog() {
    return catalog.all();
  }

  /** The durable value; one that was never put stands before its start. */
  VersionedValue latest(long id) {
    CatalogEntry entry = catalog.get(id);
    if (entry == null) {
      throw unknown(id);
    }
    VersionedValue value = durable.get(id);
    return value != null ? value : new VersionedValue(0, entry.definition().start(), false);
  }

  UnknownSequenceException unknown(long id) {
    return new UnknownSequenceException("sequence " + id + " is not one of " + this);
  }

  void create(long id, SequenceDefinition definition) {
    catalog.put(new CatalogEntry(id, definition));
  }

  /** Does nothing to a sequence that another transaction has dropped meanwhile. */
  void alter(long id, SequenceDefinition definition) {
    if (exists(id)) {
      catalog.put(new CatalogEntry(id, definition));
    }
  }

  void drop(long id) {
    catalog.remove(id);
    journal.whenDurable(() -> durable.remove(id));
  }

  /** Does nothing to a sequence that another transaction has dropped meanwhile. */
  void put(long id, VersionedValue value) {
    if (exists(id)) {
      journal.whenDurable(
          () -> durable.merge(id, value, (a, b) -> a.version() >= b.version() ? a : b));
    }
  }

  @Override
  public String toString() {
    return "the sequences of application '" + application + "'";
  }
}
