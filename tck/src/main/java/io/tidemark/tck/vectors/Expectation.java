package io.tidemark.tck.vectors;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a step must answer: each named thing as said, and no error unless one is expected.
 *
 * @param wanted what is named, by name; {@code oneOf} holds expectations, {@code valueIn} numbers
 */
record Expectation(Map<String, Object> wanted) {
  private static final Set<String> FLAGS =
      Set.of("ok", "called", "perThreadMonotonic", "monotonicReads");
  private static final Set<String> TEXTS = Set.of("error", "bound", "field");
  private static final Set<String> NUMBERS =
      Set.of(
          "value",
          "version",
          "last",
          "atLeast",
          "atMost",
          "drawn",
          "failed",
          "distinct",
          "min",
          "max",
          "eachTimes");
  private static final Set<String> OTHERS = Set.of("definition", "oneOf", "valueIn");
  private static final Set<String> BOUNDS = Set.of("MIN", "MAX");

  static Expectation read(Place place) {
    Set<String> known = new TreeSet<>(FLAGS);
    known.addAll(TEXTS);
    known.addAll(NUMBERS);
    known.addAll(OTHERS);
    Map<String, Object> wanted = new LinkedHashMap<>();
    for (String name : place.names(Set.of(), known)) {
      wanted.put(name, wanted(name, place.at(name)));
    }
    if (wanted.isEmpty()) {
      throw place.malformed("at least one of " + known);
    }
    return new Expectation(wanted);
  }

  private static Object wanted(String name, Place place) {
    if (FLAGS.contains(name)) {
      return place.flag();
    }
    if (NUMBERS.contains(name)) {
      return place.number();
    }
    return switch (name) {
      case "oneOf" -> place.list().stream().map(Expectation::read).toList();
      case "valueIn" -> place.list().stream().map(Place::number).toList();
      case "definition" -> Fields.read(place);
      case "error" -> Answer.knownError(place);
      case "bound" -> {
        if (!BOUNDS.contains(place.text())) {
          throw place.malformed("one of " + BOUNDS);
        }
        yield place.text();
      }
      default -> place.text();
    };
  }

  boolean accepts(Answer answer) {
    if (answer.isError() && !wanted.containsKey("error") && !wanted.containsKey("oneOf")) {
      return false;
    }
    return wanted.entrySet().stream().allMatch(each -> accepts(each, answer));
  }

  private static boolean accepts(Map.Entry<String, Object> each, Answer answer) {
    Object wanted = each.getValue();
    Object value = answer.given().get("value");
    return switch (each.getKey()) {
      case "ok" -> (Boolean) wanted == !answer.isError();
      case "atLeast" -> value instanceof Long number && number >= (Long) wanted;
      case "atMost" -> value instanceof Long number && number <= (Long) wanted;
      case "valueIn" -> ((List<?>) wanted).contains(value);
      case "oneOf" ->
          ((List<?>) wanted).stream().anyMatch(one -> ((Expectation) one).accepts(answer));
      case "definition" ->
          answer.given().get("definition") instanceof Fields fields
              && fields.given().entrySet().containsAll(((Fields) wanted).given().entrySet());
      default -> wanted.equals(answer.given().get(each.getKey()));
    };
  }

  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    wanted.forEach((name, value) -> parts.add(name + " " + value));
    return String.join(", ", parts);
  }
}
