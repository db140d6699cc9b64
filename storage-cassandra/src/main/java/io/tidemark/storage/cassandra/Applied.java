package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import io.tidemark.api.OutcomeUnknownException;
import org.jspecify.annotations.Nullable;

/**
 * What the server said to a conditional write.
 *
 * @param isApplied whether the conditions held and the write is done
 * @param row the answer; where not applied it may hold what was found
 */
record Applied(boolean isApplied, Row row) {
  private static final String COLUMN = "[applied]";

  static Applied of(@Nullable Row row, String what) {
    if (row == null || !row.getColumnDefinitions().contains(COLUMN)) {
      throw new OutcomeUnknownException(what + ": the server did not say whether it was applied");
    }
    return new Applied(row.getBoolean(COLUMN), row);
  }
}
