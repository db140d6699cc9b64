package io.tidemark.tck.vectors;

import io.tidemark.api.SequenceDefinition;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields of a definition as a vector gives them: null = not given. */
record Fields(
    @Nullable Long start,
    @Nullable Long min,
    @Nullable Long max,
    @Nullable Long increment,
    @Nullable Boolean cycle) {
  private static final Set<String> NAMES = Set.of("start", "min", "max", "increment", "cycle");

  static Fields read(Place place) {
    if (place.element().isJsonNull()) {
      return new Fields(null, null, null, null, null);
    }
    place.names(Set.of(), NAMES);
    return new Fields(
        number(place, "start"),
        number(place, "min"),
        number(place, "max"),
        number(place, "increment"),
        place.has("cycle") ? (Boolean) place.at("cycle").flag() : null);
  }

  private static @Nullable Long number(Place place, String name) {
    return place.has(name) ? (Long) place.at(name).number() : null;
  }

  /** A definition with these fields and the defaults. */
  SequenceDefinition create(String name) {
    SequenceDefinition.Builder builder =
        SequenceDefinition.named(name).start(start).min(min).max(max);
    return apply(builder).build();
  }

  /** The definition with these fields changed. */
  SequenceDefinition alter(SequenceDefinition old) {
    SequenceDefinition.Builder builder = old.toBuilder();
    if (start != null) {
      builder.start(start);
    }
    if (min != null) {
      builder.min(min);
    }
    if (max != null) {
      builder.max(max);
    }
    return apply(builder).build();
  }

  private SequenceDefinition.Builder apply(SequenceDefinition.Builder builder) {
    if (increment != null) {
      builder.increment(increment);
    }
    if (cycle != null) {
      builder.cycle(cycle);
    }
    return builder;
  }

  /** What is given, by name. */
  Map<String, Object> given() {
    Map<String, Object> given = new LinkedHashMap<>();
    put(given, "start", start);
    put(given, "min", min);
    put(given, "max", max);
    put(given, "increment", increment);
    put(given, "cycle", cycle);
    return given;
  }

  private static void put(Map<String, Object> given, String name, @Nullable Object value) {
    if (value != null) {
      given.put(name, value);
    }
  }

  /** All fields of a definition. */
  static Fields of(SequenceDefinition definition) {
    return new Fields(
        definition.start(),
        definition.min(),
        definition.max(),
        definition.increment(),
        definition.cycle());
  }

  @Override
  public String toString() {
    return given().toString();
  }
}
