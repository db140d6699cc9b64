package io.tidemark.api;

/** Whether a write checks that its key is free. It governs nothing else. */
public enum WriteMode {
  /** A foreign row at the key is a {@link SequenceViolationException}. */
  INSERT_IF_NOT_EXISTS,
  /** Overwrites; for rows that carry a log offset the higher offset wins. */
  PUT
}
