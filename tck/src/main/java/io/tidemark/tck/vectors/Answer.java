package io.tidemark.tck.vectors;

import static java.util.Objects.requireNonNull;

import io.tidemark.api.InvalidSequenceException;
import io.tidemark.api.SequenceExhaustedException;
import io.tidemark.api.SequenceExistsException;
import io.tidemark.api.UnknownSequenceException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a step answered.
 *
 * @param given by the names expectations use; {@code message} tells what an error said
 */
record Answer(Map<String, Object> given) {
  private static final Set<String> ERRORS =
      Set.of(
          "INVALID_DEFINITION",
          "INVALID_RESTART",
          "LIMIT_EXCEEDED",
          "OUT_OF_BOUNDS",
          "NOT_YET_CALLED",
          "NOT_FOUND",
          "ALREADY_EXISTS",
          "INVALID_VERSION",
          "INACTIVE_TRANSACTION");

  static final Answer OK = new Answer(Map.of());

  static String knownError(Place place) {
    if (!ERRORS.contains(place.text())) {
      throw place.malformed("one of " + new TreeSet<>(ERRORS));
    }
    return place.text();
  }

  static Answer value(long value) {
    return new Answer(Map.of("value", value));
  }

  boolean isError() {
    return given.containsKey("error");
  }

  /** The code of a refusal, from its type and from what was asked. */
  static Answer refused(Verb verb, RuntimeException refusal) {
    Map<String, Object> given = new LinkedHashMap<>();
    String message = String.valueOf(refusal.getMessage());
    if (refusal instanceof UnknownSequenceException) {
      given.put("error", "NOT_FOUND");
    } else if (refusal instanceof SequenceExistsException) {
      given.put("error", "ALREADY_EXISTS");
    } else if (refusal instanceof SequenceExhaustedException) {
      given.put("error", "LIMIT_EXCEEDED");
      // The bound is what the user reads: the message has to name it.
      given.put("bound", message.contains("its max ") ? "MAX" : "MIN");
    } else if (refusal instanceof InvalidSequenceException invalid) {
      given.put("error", invalidCode(invalid));
      given.put("field", invalid.field());
    } else if (verb == Verb.PUT && refusal instanceof IllegalArgumentException) {
      given.put("error", "INVALID_VERSION");
    } else if (verb == Verb.PUT && refusal instanceof IllegalStateException) {
      given.put("error", "INACTIVE_TRANSACTION");
    } else if (verb == Verb.CURRENT && refusal instanceof IllegalStateException) {
      given.put("error", "NOT_YET_CALLED");
    } else {
      given.put("error", refusal.getClass().getSimpleName());
    }
    given.put("message", message);
    return new Answer(given);
  }

  private static String invalidCode(InvalidSequenceException invalid) {
    return switch (requireNonNull(invalid.field())) {
      case "restart" -> "INVALID_RESTART";
      case "value" -> "OUT_OF_BOUNDS";
      default -> "INVALID_DEFINITION";
    };
  }

  @Override
  public String toString() {
    if (given.isEmpty()) {
      return "ok";
    }
    StringBuilder text = new StringBuilder();
    given.forEach(
        (name, value) ->
            text.append(text.isEmpty() ? "" : ", ").append(name).append(' ').append(value));
    return text.toString();
  }
}
