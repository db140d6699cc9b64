package io.tidemark.storage.memory;

import io.tidemark.api.FencedException;
import io.tidemark.api.StorageCorruptedException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.Epoch;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.PartitionInfo;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.WLogRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the store holds of one partition, and the conditions of its writes. Needs the lock.
 *
 * <p>Each write may arrive late or twice, so each is conditional on more than its epoch where the
 * epoch alone would let a repetition do harm: a claim and a settle on the epoch they were sent
 * against, a failure on the one it replaces, a rebuild on its generation's number.
 */
final class PartitionState {
  private static final long FIRST_GENERATION = 1;
  private static final long NO_GENERATION = 0;

  private record Meta(
      Epoch epoch,
      String owner,
      long generation,
      long building,
      @Nullable PartitionFailure failure,
      long failureChanges) {}

  private final String name;
  private final Journal journal;
  private final LogState log;
  private final Map<Long, SeqDataTable> generations = new HashMap<>();
  private Meta meta = new Meta(Epoch.NONE, "", FIRST_GENERATION, NO_GENERATION, null, 0);

  /** Not journaled: a number that a crash undid is never given to another generation. */
  private long lastGeneration = FIRST_GENERATION;

  PartitionState(String name, Journal journal) {
    this.name = name;
    this.journal = journal;
    log = new LogState(name, journal);
    generations.put(FIRST_GENERATION, new SeqDataTable(journal));
  }

  LogState log() {
    return log;
  }

  PartitionInfo info() {
    return new PartitionInfo(meta.epoch, meta.owner, meta.generation, meta.failure);
  }

  Epoch epoch() {
    return meta.epoch;
  }

  long generation() {
    return meta.generation;
  }

  @Nullable PartitionFailure failure() {
    return meta.failure;
  }

  private void change(Meta next) {
    Meta old = meta;
    meta = next;
    journal.changed(() -> meta = old);
  }

  void requireOwner(Term term, StorageCall call) {
    if (meta.epoch.equals(term.epoch())) {
      return;
    }
    if (meta.epoch.equals(term.undecided())) {
      throw new StorageUnavailableException(
          "%s to %s must wait: the handle's settle is undecided, settle again"
              .formatted(call, name));
    }
    throw fenced(call, term.epoch());
  }

  private FencedException fenced(StorageCall call, Epoch epoch) {
    return new FencedException(
        "%s to %s with epoch %s is fenced: owner '%s' holds it with epoch %s"
            .formatted(call, name, epoch, meta.owner, meta.epoch));
  }

  /** Moves from one epoch to the next; a repeated move that finds itself is success. */
  void move(Epoch from, Epoch to, @Nullable String owner, StorageCall call) {
    if (meta.epoch.equals(to)) {
      return;
    }
    if (!meta.epoch.equals(from)) {
      throw fenced(call, from);
    }
    String holder = owner == null ? meta.owner : owner;
    change(new Meta(to, holder, meta.generation, meta.building, meta.failure, meta.failureChanges));
  }

  long failureChanges() {
    return meta.failureChanges;
  }

  /** Stores a failure unless the one it was to replace is gone: {@code changes} counts them. */
  void storeFailure(Term term, @Nullable PartitionFailure failure, long changes) {
    requireOwner(term, StorageCall.STORE_FAILURE);
    if (changes == meta.failureChanges) {
      change(
          new Meta(meta.epoch, meta.owner, meta.generation, meta.building, failure, changes + 1));
    }
  }

  void append(Term term, Append append) {
    if (!log.holds(append)) {
      requireOwner(term, StorageCall.APPEND);
      log.check(append);
      log.write(append);
    }
  }

  void commit(
      Term term, Append append, List<RecordRow> records, List<WLogRow> wlog, TrustLevel level) {
    boolean logged = log.holds(append);
    if (!logged) {
      requireOwner(term, StorageCall.COMMIT);
      log.check(append);
    }
    log.checkRecords(records, level.newRecords());
    log.checkWLog(wlog, level.events());
    if (!logged) {
      log.write(append);
    }
    log.writeRecords(records);
    log.writeWLog(wlog);
  }

  void markCorrupted(Term term, long offset) {
    requireOwner(term, StorageCall.MARK_CORRUPTED);
    log.markCorrupted(offset);
  }

  /**
   * The numbers of a generation, for reading. The rows of a replaced one are gone, and reading them
   * as absent would issue every number again.
   */
  SeqDataTable seqData(long generation) {
    SeqDataTable table = generations.get(generation);
    if (table == null) {
      throw new FencedException(
          "SeqData generation %d of %s was replaced by %d: claim the partition again"
              .formatted(generation, name, meta.generation));
    }
    return table;
  }

  /** Writes numbers; those of a generation that was replaced go where nobody reads. */
  void writeSeqData(long generation, SeqValues batch, long nextOffset) {
    SeqDataTable table = generations.get(generation);
    if (table != null) {
      table.write(batch, nextOffset);
    }
  }

  /** The generation under construction, or a number for a new one. */
  long generationToBuild() {
    return meta.building != NO_GENERATION ? meta.building : ++lastGeneration;
  }

  void startBuilding(Term term, long target) {
    requireOwner(term, StorageCall.REBUILD);
    if (meta.building == NO_GENERATION && meta.generation < target) {
      generations.put(target, new SeqDataTable(journal));
      journal.changed(() -> generations.remove(target));
      change(building(meta.generation, target));
    }
  }

  void activate(Term term, long target) {
    requireOwner(term, StorageCall.ACTIVATE);
    if (meta.generation == target) {
      return;
    }
    if (meta.building != target) {
      throw new StorageCorruptedException(
          "SeqData generation %d of %s is not there; rebuild it again".formatted(target, name));
    }
    change(building(target, NO_GENERATION));
    for (long older : List.copyOf(generations.keySet())) {
      SeqDataTable table = generations.get(older);
      if (older < target && table != null) {
        generations.remove(older);
        journal.changed(() -> generations.put(older, table));
      }
    }
  }

  private Meta building(long generation, long building) {
    return new Meta(
        meta.epoch, meta.owner, generation, building, meta.failure, meta.failureChanges);
  }

  @Override
  public String toString() {
    return name;
  }
}
