package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.Locale;

/**
 * How many replicas must answer. There is nothing weaker than a majority here: a read that may miss
 * an acknowledged write gives numbers out twice.
 */
public enum Consistency {
  /** A majority of all replicas, in every data centre together; the default. */
  QUORUM(DefaultConsistencyLevel.QUORUM, DefaultConsistencyLevel.SERIAL),
  /** A majority of the local data centre; refused where the keyspace lies in several. */
  LOCAL_QUORUM(DefaultConsistencyLevel.LOCAL_QUORUM, DefaultConsistencyLevel.LOCAL_SERIAL);

  private final DefaultConsistencyLevel plain;
  private final DefaultConsistencyLevel serial;

  Consistency(DefaultConsistencyLevel plain, DefaultConsistencyLevel serial) {
    this.plain = plain;
    this.serial = serial;
  }

  /** Reads the option {@code consistency}. */
  static Consistency of(String text) {
    for (Consistency level : values()) {
      if (level.name().equals(text.toUpperCase(Locale.ROOT))) {
        return level;
      }
    }
    throw new IllegalArgumentException(
        "consistency must be quorum or local_quorum, was '"
            + text
            + "': with less than a majority a read may miss an acknowledged write");
  }

  ConsistencyLevel plain() {
    return plain;
  }

  ConsistencyLevel serial() {
    return serial;
  }
}
