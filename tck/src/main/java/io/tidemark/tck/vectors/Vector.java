package io.tidemark.tck.vectors;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** One case: what to do, step by step, and what each step must answer. */
record Vector(
    String name, Fields definition, List<Operation> operations, List<Expectation> expected) {
  private static final Set<String> REQUIRED = Set.of("name", "definition", "ops", "expect");
  private static final Set<String> OPTIONAL =
      Set.of("group", "note", "source", "postgresqlAgrees", "capability");

  static Vector read(Place place) {
    place.names(REQUIRED, OPTIONAL);
    List<Operation> operations = new ArrayList<>();
    for (Place each : place.at("ops").list()) {
      operations.add(Operation.read(each));
    }
    List<Expectation> expected = new ArrayList<>();
    for (Place each : place.at("expect").list()) {
      expected.add(Expectation.read(each));
    }
    if (operations.isEmpty()) {
      throw place.at("ops").malformed("at least one step");
    }
    if (operations.size() != expected.size()) {
      throw place
          .at("expect")
          .malformed(operations.size() + " answers, as many as there are steps in ops");
    }
    return new Vector(
        place.at("name").text(), Fields.read(place.at("definition")), operations, expected);
  }

  boolean usesTransactions() {
    return operations.stream().anyMatch(operation -> operation.verb() == Verb.BEGIN);
  }

  boolean commitsWithoutDurability() {
    return operations.stream()
        .anyMatch(operation -> operation.verb() == Verb.COMMIT && !operation.flag("durable", true));
  }
}
