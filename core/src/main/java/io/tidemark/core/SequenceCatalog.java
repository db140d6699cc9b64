package io.tidemark.core;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.FencedException;
import io.tidemark.api.ISequence;
import io.tidemark.api.ISequences;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceExistsException;
import io.tidemark.api.StorageException;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.ISequenceStorage.CatalogEntry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of one claim.
 *
 * <p>The storage's catalog is the truth and is asked whenever a sequence is not open yet; the lock
 * makes create, drop and the first open of a name one at a time, so that a name stands for one
 * sequence. A sequence's own lock may be taken under it, never the other way around.
 */
final class SequenceCatalog<T> implements ISequences<T> {
  private static final Logger LOG = System.getLogger(SequenceCatalog.class.getName());

  private final ISequenceStorage<T> storage;
  private final Environment environment;
  private final SequencePruner<T> pruner;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, SqlSequence<T>> open = new ConcurrentHashMap<>();
  private volatile boolean closed;

  SequenceCatalog(ISequenceStorage<T> storage, SequencesConfig config, Environment environment) {
    this.storage = requireNonNull(storage, "storage");
    this.environment = environment;
    this.pruner = new SequencePruner<>(storage, environment, config.pruneEvery());
  }

  @Override
  public long create(SequenceDefinition definition) {
    requireNonNull(definition, "definition");
    return alone(
        () -> {
          String name = definition.name();
          if (find(name).isPresent()) {
            throw new SequenceExistsException("sequence " + name + " exists already");
          }
          forget(name);
          long[] id = new long[1];
          storage.transact(transaction -> id[0] = storage.create(transaction, definition));
          return id[0];
        });
  }

  @Override
  public ISequence<T> open(String name) {
    return opened(name);
  }

  private SqlSequence<T> opened(String name) {
    requireNonNull(name, "name");
    requireOpen();
    SqlSequence<T> known = certain(name);
    return known != null ? known : alone(() -> openFirst(name));
  }

  /** The open sequence of a name, unless a failed drop may have removed it. */
  private @Nullable SqlSequence<T> certain(String name) {
    SqlSequence<T> known = open.get(name);
    return known == null || known.isDoubtful() ? null : known;
  }

  private SqlSequence<T> openFirst(String name) {
    SqlSequence<T> known = open.get(name);
    if (known != null && !known.isDoubtful()) {
      return known;
    }
    Optional<CatalogEntry> entry = find(name);
    if (known != null) {
      if (entry.isPresent() && entry.get().id() == known.id()) {
        return known;
      }
      forget(name);
    }
    return openStored(entry.orElseThrow(() -> unknown(name)));
  }

  private SqlSequence<T> openStored(CatalogEntry entry) {
    SqlSequence<T> sequence =
        new SqlSequence<>(entry.id(), entry.definition(), storage, pruner, this::fenced);
    open.put(entry.definition().name(), sequence);
    return sequence;
  }

  /** Ends the open sequence of a name that the storage no longer has. Needs the lock. */
  private void forget(String name) {
    SqlSequence<T> gone = open.remove(name);
    if (gone != null) {
      gone.end(gone::dropped);
      pruner.forget(gone.id());
    }
  }

  @Override
  public SequenceDefinition describe(String name) {
    requireNonNull(name, "name");
    requireOpen();
    SqlSequence<T> known = certain(name);
    return known != null
        ? known.definition()
        : find(name).orElseThrow(() -> unknown(name)).definition();
  }

  @Override
  public List<SequenceDefinition> list() {
    requireOpen();
    return storage.catalog().stream()
        .map(CatalogEntry::definition)
        .sorted(Comparator.comparing(SequenceDefinition::name))
        .toList();
  }

  @Override
  public void alter(SequenceDefinition definition) {
    requireNonNull(definition, "definition");
    opened(definition.name()).alter(definition);
  }

  @Override
  public void drop(String name) {
    requireNonNull(name, "name");
    alone(
        () -> {
          try {
            openFirst(name).drop();
          } catch (UnknownSequenceException gone) {
            forget(name);
            throw gone;
          }
          forget(name);
          return name;
        });
  }

  private Optional<CatalogEntry> find(String name) {
    return storage.catalog().stream()
        .filter(entry -> entry.definition().name().equals(name))
        .findFirst();
  }

  private static UnknownSequenceException unknown(String name) {
    return new UnknownSequenceException("there is no sequence " + name + "; create it first");
  }

  private <R> R alone(Supplier<R> work) {
    lock.lock();
    try {
      requireOpen();
      return work.get();
    } catch (FencedException fenced) {
      fenced(fenced);
      throw fenced;
    } finally {
      lock.unlock();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw closed();
    }
  }

  private static IllegalStateException closed() {
    return new IllegalStateException("the sequences are closed");
  }

  /** Ends every sequence. On another thread, because the caller may hold a sequence's lock. */
  private void fenced(FencedException cause) {
    environment.execute(
        Environment.Lane.RETRY,
        () -> open.values().forEach(sequence -> sequence.end(() -> again(cause))));
  }

  private static FencedException again(FencedException cause) {
    return new FencedException(String.valueOf(cause.getMessage()), cause);
  }

  @Override
  public void close() {
    Map<SqlSequence<T>, VersionedValue> last = new LinkedHashMap<>();
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      for (SqlSequence<T> sequence : open.values()) {
        VersionedValue value = sequence.end(SequenceCatalog::closed);
        if (value != null) {
          last.put(sequence, value);
        }
      }
    } finally {
      lock.unlock();
    }
    pruner.close();
    try {
      last.forEach(this::register);
    } catch (FencedException e) {
      LOG.log(Level.INFO, () -> "closed without a last registration: " + e.getMessage());
    }
  }

  /** In a transaction of its own, so that one sequence's failure costs no other its numbers. */
  private void register(SqlSequence<T> sequence, VersionedValue last) {
    try {
      storage.transact(transaction -> storage.put(transaction, sequence.id(), last));
    } catch (FencedException e) {
      throw e; // and so would be all the others
    } catch (UnknownSequenceException e) {
      LOG.log(Level.INFO, () -> "nothing to register of a dropped sequence: " + e.getMessage());
    } catch (StorageException e) {
      LOG.log(
          Level.WARNING,
          () ->
              "draws without a transaction from sequence %s may come again: %s"
                  .formatted(sequence, e.getMessage()));
    }
  }
}
