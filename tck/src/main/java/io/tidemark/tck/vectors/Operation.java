package io.tidemark.tck.vectors;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One step of a vector, checked when it is read.
 *
 * @param arguments by name: numbers, texts, flags and {@link Fields}
 */
record Operation(Verb verb, Map<String, Object> arguments) {
  private static final Set<String> TEXTS = Set.of("seq", "tx", "valueOf");
  private static final Set<String> FLAGS = Set.of("called", "durable", "concurrent");
  private static final Set<String> FIELDS = Set.of("definition", "set");
  private static final Set<String> VALUES = Set.of("version", "version*10");
  private static final long MOST_THREADS = 256;
  private static final long MOST_STEPS = 1_000_000;

  static Operation read(Place place) {
    Verb verb = Verb.read(place.at("op"));
    Set<String> required = new HashSet<>(verb.required());
    required.add("op");
    Map<String, Object> arguments = new LinkedHashMap<>();
    for (String name : place.names(required, verb.optional())) {
      if (!name.equals("op")) {
        arguments.put(name, argument(name, place.at(name)));
      }
    }
    Operation operation = new Operation(verb, arguments);
    operation.requireBounds(place);
    return operation;
  }

  private static Object argument(String name, Place place) {
    if (TEXTS.contains(name)) {
      return place.text();
    }
    if (FLAGS.contains(name)) {
      return place.flag();
    }
    return FIELDS.contains(name) ? Fields.read(place) : (Object) place.number();
  }

  /** A file must not be able to ask for more than a machine has. */
  private void requireBounds(Place place) {
    requireWithin(place, "threads", 1, MOST_THREADS);
    requireWithin(place, "perThread", 1, MOST_STEPS);
    if (arguments.containsKey("fromVersion")) {
      requireWithin(place, "fromVersion", 1, Long.MAX_VALUE - MOST_STEPS);
      long from = number("fromVersion");
      requireWithin(place, "toVersion", from, from + MOST_STEPS);
      if (!VALUES.contains(text("valueOf"))) {
        throw place.at("valueOf").malformed("one of " + VALUES);
      }
    }
  }

  private void requireWithin(Place place, String name, long least, long most) {
    if (arguments.containsKey(name) && (number(name) < least || number(name) > most)) {
      throw place.at(name).malformed("a number within " + least + ".." + most);
    }
  }

  /** Which sequence; {@code s} unless told. */
  String sequence() {
    return (String) arguments.getOrDefault("seq", "s");
  }

  @Nullable String transaction() {
    return (String) arguments.get("tx");
  }

  long number(String name) {
    return (Long) requireNonNull(arguments.get(name), name);
  }

  String text(String name) {
    return (String) requireNonNull(arguments.get(name), name);
  }

  boolean flag(String name, boolean otherwise) {
    return (Boolean) arguments.getOrDefault(name, otherwise);
  }

  @Nullable Fields fields(String name) {
    return (Fields) arguments.get(name);
  }

  @Override
  public String toString() {
    return arguments.isEmpty() ? verb.toString() : verb + " " + arguments;
  }
}
