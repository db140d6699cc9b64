package io.tidemark.simulation;

import io.tidemark.spi.Epoch;
import io.tidemark.spi.SeqValues;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A hash of everything the engine holds that is reachable from some objects: every field of every
 * class of the engine, by reflection, so that a new field needs no line here.
 *
 * <p>Left out is what cannot differ between two states of a walk: what was configured, locks (free
 * whenever nobody runs), and the world, whose part is hashed elsewhere. A class nobody has thought
 * of is an error, because leaving it out could take two states for one.
 */
final class HeapHash {
  private static final String ENGINE = "io.tidemark.core.";

  /** Of the engine: the same in every state of a walk, or free whenever nobody runs. */
  private static final Set<String> CONSTANT =
      Set.of(
          "ShortLock",
          "Announcer",
          "Backoff",
          "Kinds",
          "Kind",
          "Places",
          "SequencerConfig",
          "Flusher$GroupWriter");

  /** Of a claim only whether it is the last counts; who is inside a verb is in the stacks. */
  private static final Set<String> LEFT_OUT =
      Set.of(FaultyPartition.class.getName() + ".claim", ENGINE + "CallerGuard.gate");

  /** Outside of the engine: an owner's handle, whose epoch moves. */
  private static final Set<String> HANDLE =
      Set.of(
          "io.tidemark.simulation.FaultyPartition",
          "io.tidemark.storage.memory.MemoryPartition",
          "io.tidemark.storage.memory.MemoryLogReader",
          "io.tidemark.storage.memory.Term");

  private static final ClassValue<Shape> SHAPES =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          return shape(type);
        }
      };

  private final IdentityHashMap<Object, Integer> met = new IdentityHashMap<>();
  private final Look look;
  private final Set<Object> tasks;
  private long hash;

  /**
   * Tells epochs apart by how they stand to the one that is stored now, and leaves out tasks that
   * have ended: nobody runs them again.
   */
  HeapHash(Look look, Set<Object> tasks) {
    this.look = look;
    this.tasks = tasks;
  }

  /**
   * A handle with an epoch before the present one is fenced and stays so, whichever epoch it was:
   * no later one has its number or id.
   */
  static long code(Epoch epoch, Epoch current) {
    long ahead = epoch.number() - current.number();
    return ahead < 0 ? -1 : ahead * 2 + (epoch.claimId().equals(current.claimId()) ? 1 : 0);
  }

  private enum Rule {
    CONSTANT,
    VALUE,
    NUMBER,
    ENUM,
    NAME,
    COLLECTION,
    MAP,
    BATCH,
    EPOCH,
    QUEUE,
    FIELDS
  }

  /**
   * How to look.
   *
   * @param current the epoch that is stored now
   * @param types a number for each class met: their names are not the same in every run of Java
   */
  record Look(Epoch current, Map<Class<?>, Integer> types) {
    long number(Class<?> type) {
      return types.computeIfAbsent(type, unused -> types.size());
    }
  }

  private record Shape(Rule rule, List<Field> fields) {}

  /** Adds what is reachable from this object and was not met yet. */
  void add(@Nullable Object object) {
    if (object == null) {
      add(0);
      return;
    }
    Class<?> type = object.getClass();
    if (type.isArray()) {
      if (isNew(object)) {
        addArray(object);
      }
      return;
    }
    if (object instanceof Runnable && !tasks.contains(object)) {
      add(2);
      return;
    }
    Shape shape = SHAPES.get(type);
    switch (shape.rule) {
      case CONSTANT -> add(1);
      case VALUE -> add(object.hashCode());
      case NUMBER -> add(((Number) object).longValue());
      case ENUM -> add(((Enum<?>) object).name().hashCode());
      case NAME -> add(look.number(type));
      case COLLECTION -> ((Collection<?>) object).forEach(this::add);
      case MAP ->
          ((Map<?, ?>) object)
              .forEach(
                  (key, value) -> {
                    add(key);
                    add(value);
                  });
      case BATCH -> addBatch((SeqValues) object);
      case EPOCH -> add(code((Epoch) object, look.current));
      case QUEUE -> addBatch(contents(object));
      case FIELDS -> {
        if (isNew(object)) {
          add(look.number(type));
          shape.fields.forEach(field -> addField(field, object));
          if (object instanceof FaultyPartition handle) {
            add(handle.isLatest() ? 1 : 2);
          }
        }
      }
    }
  }

  void add(long value) {
    hash = Mix.of(hash, value);
  }

  long value() {
    return hash;
  }

  /** An object met again counts as the place where it was met first. */
  private boolean isNew(Object object) {
    Integer before = met.putIfAbsent(object, met.size());
    if (before != null) {
      add(before);
    }
    return before == null;
  }

  private void addArray(Object array) {
    int length = Array.getLength(array);
    add(length);
    if (array instanceof long[] longs) {
      for (long each : longs) {
        add(each);
      }
    } else if (array instanceof int[] ints) {
      for (int each : ints) {
        add(each);
      }
    } else {
      for (int i = 0; i < length; i++) {
        add(Array.get(array, i));
      }
    }
  }

  /** What is behind its size is no part of it. */
  private void addBatch(SeqValues batch) {
    add(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      add(batch.wsid(i));
      add(batch.seqId(i));
      add(batch.number(i));
    }
  }

  /** A queue's arrays keep what was in it; only what it hands over counts. */
  private static SeqValues contents(Object queue) {
    try {
      Method copyTo = queue.getClass().getDeclaredMethod("copyTo", SeqValues.class);
      copyTo.setAccessible(true);
      SeqValues contents = new SeqValues();
      copyTo.invoke(queue, contents);
      return contents;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot copy " + queue.getClass(), e);
    }
  }

  private void addField(Field field, Object of) {
    try {
      Class<?> type = field.getType();
      if (type == long.class || type == int.class || type == byte.class || type == short.class) {
        add(field.getLong(of));
      } else if (type == boolean.class) {
        add(field.getBoolean(of) ? 1 : 2);
      } else {
        add(field.get(of));
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot read " + field, e);
    }
  }

  private static Shape shape(Class<?> type) {
    Rule rule = rule(type);
    List<Field> fields = new ArrayList<>();
    for (Class<?> each = type; rule == Rule.FIELDS && each != null; each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        if (!LEFT_OUT.contains(each.getName() + "." + field.getName())
            && !Modifier.isStatic(field.getModifiers())) {
          field.setAccessible(true);
          fields.add(field);
        }
      }
    }
    return new Shape(rule, fields);
  }

  private static Rule rule(Class<?> type) {
    String name = type.getName();
    if (type.isEnum()) {
      return Rule.ENUM;
    } else if (Throwable.class.isAssignableFrom(type)) {
      return Rule.NAME;
    } else if (name.equals(ENGINE + "FlushQueue")) {
      return Rule.QUEUE;
    } else if (name.startsWith(ENGINE)) {
      return CONSTANT.contains(name.substring(ENGINE.length())) ? Rule.CONSTANT : Rule.FIELDS;
    } else if (HANDLE.contains(name)) {
      return Rule.FIELDS;
    } else if (type == SeqValues.class) {
      return Rule.BATCH;
    } else if (type == Epoch.class) {
      return Rule.EPOCH;
    } else if (Number.class.isAssignableFrom(type)) {
      return Rule.NUMBER;
    } else if (isWorld(name) || name.startsWith("java.util.concurrent.locks.")) {
      return Rule.CONSTANT;
    } else if (Map.class.isAssignableFrom(type)) {
      return Rule.MAP;
    } else if (Collection.class.isAssignableFrom(type)) {
      return Rule.COLLECTION;
    } else if ((type.isRecord() && name.startsWith("io.tidemark."))
        || type == String.class
        || type == UUID.class
        || type == Duration.class
        || type == Boolean.class) {
      return Rule.VALUE;
    }
    throw new IllegalStateException(
        "the walk does not know how to tell two objects apart: add a rule for " + name);
  }

  private static boolean isWorld(String name) {
    return name.startsWith("io.tidemark.simulation.")
        || name.startsWith("io.tidemark.storage.memory.");
  }
}
