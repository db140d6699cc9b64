package io.tidemark.tck.vectors;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.ISequence;
import io.tidemark.api.ISequences;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.api.VersionedValue;
import io.tidemark.core.Environment;
import io.tidemark.core.Sequences;
import io.tidemark.core.SequencesConfig;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.ISequenceStorage;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** One vector at work on a storage: a claim, an engine, and the transactions that are open. */
final class VectorSession<T> implements AutoCloseable {
  private static final String OWNER = "sequence vectors";

  /** No storage gives this id; it stands for a sequence that was never created. */
  private static final long NEVER_CREATED = 4_000_000_000_000_000_000L;

  private final IAppStorage application;
  private final Vector vector;
  private final Map<String, Long> ids = new HashMap<>();
  private final Map<String, OpenTransaction<T>> transactions = new LinkedHashMap<>();
  private ISequenceStorage<T> storage;
  private ISequences<T> sequences;

  private VectorSession(IAppStorage application, Vector vector, ISequenceStorage<T> storage) {
    this.application = application;
    this.vector = vector;
    this.storage = storage;
    this.sequences = engine(storage);
  }

  static VectorSession<?> open(IAppStorage application, Vector vector) {
    return open(application, vector, application.sequences(OWNER));
  }

  private static <T> VectorSession<T> open(
      IAppStorage application, Vector vector, ISequenceStorage<T> storage) {
    return new VectorSession<>(application, vector, storage);
  }

  private static <T> ISequences<T> engine(ISequenceStorage<T> storage) {
    return Sequences.over(storage, SequencesConfig.defaults(), Environment.system());
  }

  /** Does one step; what it throws becomes its answer. */
  Answer answer(Operation operation) {
    try {
      return perform(operation);
    } catch (RuntimeException refusal) {
      return Answer.refused(operation.verb(), refusal);
    }
  }

  private Answer perform(Operation operation) {
    return switch (operation.verb()) {
      case CREATE -> create(operation);
      case DESCRIBE ->
          new Answer(Map.of("definition", Fields.of(sequences.describe(name(operation)))));
      case NEXT -> next(operation);
      case CURRENT -> Answer.value(sequence(operation).current());
      case STATE -> state(sequence(operation).state());
      case RESTART -> restart(operation);
      case SET -> set(operation);
      case ALTER -> alter(operation);
      case DROP -> drop(operation);
      case BEGIN -> begin(operation);
      case COMMIT -> commit(operation);
      case ROLLBACK -> rollback(operation);
      case CLOSE -> stop();
      case CRASH -> crash();
      case REOPEN -> reopen();
      case CONCURRENT_NEXT -> ConcurrentSteps.draw(sequence(operation), operation);
      case PUT -> put(operation);
      case READ_LATEST -> latest(storage.getLatest(id(operation)));
      case CONCURRENT_PUT -> ConcurrentSteps.put(storage, id(operation), operation, false);
      case CONCURRENT_PUT_AND_READ -> ConcurrentSteps.put(storage, id(operation), operation, true);
      case ENGINE_VERSION -> new Answer(Map.of("version", sequence(operation).state().version()));
    };
  }

  private Answer create(Operation operation) {
    Fields fields = operation.fields("definition");
    SequenceDefinition definition =
        (fields != null ? fields : vector.definition()).create(name(operation));
    ids.put(operation.sequence(), sequences.create(definition));
    return Answer.OK;
  }

  private Answer next(Operation operation) {
    ISequence<T> sequence = sequence(operation);
    String name = operation.transaction();
    if (name == null) {
      return Answer.value(sequence.nextDurable());
    }
    return transaction(name).call(handle -> Answer.value(sequence.next(handle)));
  }

  private static Answer state(VersionedValue state) {
    return new Answer(Map.of("last", state.value(), "called", state.issued()));
  }

  private static Answer latest(VersionedValue latest) {
    return new Answer(Map.of("version", latest.version(), "value", latest.value()));
  }

  private Answer restart(Operation operation) {
    if (operation.arguments().containsKey("with")) {
      sequence(operation).restart(operation.number("with"));
    } else {
      sequence(operation).restart();
    }
    return Answer.OK;
  }

  private Answer set(Operation operation) {
    sequence(operation).set(operation.number("value"), operation.flag("called", true));
    return Answer.OK;
  }

  private Answer alter(Operation operation) {
    Fields changed = requireNonNull(operation.fields("set"));
    sequences.alter(changed.alter(sequences.describe(name(operation))));
    return Answer.OK;
  }

  private Answer drop(Operation operation) {
    sequences.drop(name(operation));
    return Answer.OK;
  }

  private Answer begin(Operation operation) {
    String name = operation.text("tx");
    if (transactions.put(name, new OpenTransaction<>(storage)) != null) {
      throw new IllegalStateException("transaction " + name + " was begun twice");
    }
    return Answer.OK;
  }

  private OpenTransaction<T> transaction(String name) {
    OpenTransaction<T> transaction = transactions.get(name);
    if (transaction == null) {
      throw new IllegalStateException("transaction " + name + " was never begun");
    }
    return transaction;
  }

  private Answer commit(Operation operation) {
    transaction(operation.text("tx")).commit();
    return Answer.OK;
  }

  private Answer rollback(Operation operation) {
    transaction(operation.text("tx")).rollback();
    return Answer.OK;
  }

  private Answer stop() {
    sequences.close();
    return Answer.OK;
  }

  /** The process is gone: its transactions end, and nothing else is written. */
  private Answer crash() {
    transactions.values().forEach(OpenTransaction::abandon);
    return Answer.OK;
  }

  @SuppressWarnings("unchecked") // a storage has one type of transaction
  private Answer reopen() {
    crash();
    storage = (ISequenceStorage<T>) application.sequences(OWNER);
    sequences = engine(storage);
    return Answer.OK;
  }

  private Answer put(Operation operation) {
    VersionedValue value =
        new VersionedValue(operation.number("version"), operation.number("value"), true);
    long id = ids.getOrDefault(operation.sequence(), NEVER_CREATED);
    String name = operation.transaction();
    if (name == null) {
      storage.transact(handle -> storage.put(handle, id, value));
      return Answer.OK;
    }
    return transaction(name)
        .call(
            handle -> {
              storage.put(handle, id, value);
              return Answer.OK;
            });
  }

  private long id(Operation operation) {
    return ids.getOrDefault(operation.sequence(), NEVER_CREATED);
  }

  private ISequence<T> sequence(Operation operation) {
    return sequences.open(name(operation));
  }

  /** Vectors share an application, so each has names of its own. */
  private String name(Operation operation) {
    return "vector." + vector.name() + "." + operation.sequence();
  }

  /** Ends what is open and drops what was created. */
  @Override
  public void close() {
    crash();
    for (String sequence : ids.keySet()) {
      long id = requireNonNull(ids.get(sequence));
      try {
        storage.transact(handle -> storage.drop(handle, id));
      } catch (UnknownSequenceException dropped) {
        // By the vector itself.
      }
    }
  }
}
