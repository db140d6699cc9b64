package io.tidemark.tck.vectors;

import java.util.ArrayList;
import java.util.HashSet;
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

  /** Whether something is written while a transaction that has written is still open. */
  boolean writesOverlap() {
    Set<String> writing = new HashSet<>();
    for (Operation operation : operations) {
      String transaction = operation.transaction();
      switch (operation.verb()) {
        case COMMIT, ROLLBACK -> writing.remove(operation.text("tx"));
        case CRASH, REOPEN -> writing.clear();
        case NEXT, PUT -> {
          if (transaction != null) {
            writing.add(transaction);
          }
          if (writing.size() > (transaction == null ? 0 : 1)) {
            return true;
          }
        }
        case CREATE,
            RESTART,
            SET,
            ALTER,
            DROP,
            CLOSE,
            CONCURRENT_NEXT,
            CONCURRENT_PUT,
            CONCURRENT_PUT_AND_READ -> {
          if (!writing.isEmpty()) {
            return true;
          }
        }
        case DESCRIBE, CURRENT, STATE, BEGIN, READ_LATEST, ENGINE_VERSION -> {}
      }
    }
    return false;
  }
}
