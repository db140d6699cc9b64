package io.tidemark.pipeline;

import io.tidemark.api.SequenceViolationException;
import io.tidemark.spi.PartitionFailure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The row that a stored failure is about. */
record FailureKey(Place place, long number, long wsid, int wsKind) {
  private static final Pattern PLOG = Pattern.compile("PLog offset (\\d+)");
  private static final Pattern ROW =
      Pattern.compile("(WLog offset|record) (\\d+) of workspace (\\d+)");
  private static final Pattern KIND = Pattern.compile(" \\(workspace kind (\\d+)\\)");

  enum Place {
    PLOG,
    WLOG,
    RECORD
  }

  /** What is stored of a violation that kept a group from being written. */
  static PartitionFailure failure(SequenceViolationException violation, @Nullable Group group) {
    String cause = String.valueOf(violation.getMessage());
    if (group != null) {
      for (BuiltEvent built : group.events) {
        if (writes(built, violation.key())) {
          cause += " (workspace kind " + built.event().header().wsKind() + ")";
          break;
        }
      }
    }
    return new PartitionFailure(violation.key(), cause);
  }

  /** Whether applying the event writes the row. */
  static boolean writes(BuiltEvent built, String key) {
    return built.wlog().key().equals(key)
        || built.event().key().equals(key)
        || built.records().stream().anyMatch(row -> row.key().equals(key));
  }

  /**
   * Reads a stored failure.
   *
   * @throws IllegalStateException if it does not name a row
   */
  static FailureKey of(PartitionFailure failure) {
    Matcher kind = KIND.matcher(failure.cause());
    int wsKind = kind.find() ? Integer.parseInt(kind.group(1)) : 0;
    Matcher plog = PLOG.matcher(failure.key());
    if (plog.matches()) {
      return new FailureKey(Place.PLOG, Long.parseLong(plog.group(1)), 0, wsKind);
    }
    Matcher row = ROW.matcher(failure.key());
    if (!row.matches()) {
      throw new IllegalStateException(
          "the failure's key '" + failure.key() + "' names no row that can be skipped");
    }
    Place place = row.group(1).equals("record") ? Place.RECORD : Place.WLOG;
    return new FailureKey(
        place, Long.parseLong(row.group(2)), Long.parseUnsignedLong(row.group(3)), wsKind);
  }
}
