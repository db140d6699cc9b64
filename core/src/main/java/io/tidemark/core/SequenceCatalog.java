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
    SqlSequence<T> known = open.get(name);
    return known != null ? known : alone(() -> openFirst(name));
  }

  private SqlSequence<T> openFirst(String name) {
    SqlSequence<T> known = open.get(name);
    if (known != null) {
      return known;
    }
    CatalogEntry entry = find(name).orElseThrow(() -> unknown(name));
    SqlSequence<T> sequence =
        new SqlSequence<>(entry.id(), entry.definition(), storage, pruner, this::fenced);
    open.put(name, sequence);
    return sequence;
  }

  @Override
  public SequenceDefinition describe(String name) {
    requireNonNull(name, "name");
    requireOpen();
    SqlSequence<T> known = open.get(name);
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
          SqlSequence<T> sequence = openFirst(name);
          sequence.drop();
          pruner.forget(sequence.id());
          return open.remove(name, sequence);
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
    Map<Long, VersionedValue> last = new LinkedHashMap<>();
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      for (SqlSequence<T> sequence : open.values()) {
        VersionedValue value = sequence.end(SequenceCatalog::closed);
        if (value != null) {
          last.put(sequence.id(), value);
        }
      }
    } finally {
      lock.unlock();
    }
    pruner.close();
    if (!last.isEmpty()) {
      register(last);
    }
  }

  private void register(Map<Long, VersionedValue> last) {
    try {
      storage.transact(
          transaction -> last.forEach((id, value) -> storage.put(transaction, id, value)));
    } catch (FencedException e) {
      LOG.log(Level.INFO, () -> "closed without a last registration: " + e.getMessage());
    } catch (StorageException e) {
      LOG.log(
          Level.WARNING,
          () ->
              "draws without a transaction from %d sequences may come again: %s"
                  .formatted(last.size(), e.getMessage()));
    }
  }
}
