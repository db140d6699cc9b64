package io.tidemark.storage.cassandra;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How much one write may hold.
 *
 * <p>A node refuses a mutation that is too large for its commit log. For a conditional write it may
 * notice too late: a proposal that just fits is accepted by the replicas, and then cannot be
 * applied, nor can any later round of that Cassandra partition get past it, so that not even a
 * claim succeeds any more. So a write stays well below.
 *
 * @param single the most bytes of one event or row
 * @param group the most bytes of a group of several
 */
record WriteSizes(long single, long group) {
  static final String MUTATION = "max_mutation_size";
  static final String SEGMENT = "commitlog_segment_size";
  private static final long MOST_OF_A_GROUP = 4L << 20;
  private static final long USUAL_MUTATION = 16L << 20;
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})(B|KiB|MiB|GiB)");

  /** What nodes take that are set up as usual. */
  static final WriteSizes USUAL = ofMutation(USUAL_MUTATION);

  private static WriteSizes ofMutation(long largest) {
    return new WriteSizes(largest / 2, Math.min(MOST_OF_A_GROUP, largest / 4));
  }

  /** What a node with these settings takes. */
  static WriteSizes of(Map<String, String> settings) {
    long largest = bytes(settings.get(MUTATION), 0);
    return ofMutation(largest > 0 ? largest : bytes(settings.get(SEGMENT), 2 * USUAL_MUTATION) / 2);
  }

  private static long bytes(@Nullable String setting, long otherwise) {
    Matcher size = SIZE.matcher(String.valueOf(setting));
    if (!size.matches()) {
      return otherwise;
    }
    int shift =
        switch (size.group(2)) {
          case "KiB" -> 10;
          case "MiB" -> 20;
          case "GiB" -> 30;
          default -> 0;
        };
    return Long.parseLong(size.group(1)) << shift;
  }

  /** What nodes of both kinds take. */
  WriteSizes and(WriteSizes other) {
    return other.single < single ? other : this;
  }

  /** Refuses one event or row that is too large, before anything is sent. */
  void require(String key, long bytes) {
    if (bytes > single) {
      throw new IllegalArgumentException(
          "%s must have at most %d bytes, half of what a node takes at once, was %d"
              .formatted(key, single, bytes));
    }
  }
}
