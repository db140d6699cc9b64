package io.tidemark.storage.cassandra;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Conditional inserts of many rows: those of one Cassandra partition in one batch, or in a few if
 * they are large, since two conditional writes of one partition at once only get in each other's
 * way.
 */
final class ConditionalInserts {
  /** Key and header of a row, more than they take. */
  private static final int ROW_BYTES = 200;

  private final Cql cql;
  private final String what;
  private final WriteSizes sizes;
  private final Map<Object, List<Insert>> byPartition = new LinkedHashMap<>();

  /** Takes what stands at a key that was not free. */
  interface Taken {
    void at(Row found);
  }

  private record Insert(BatchableStatement<?> statement, long bytes, Taken taken) {}

  ConditionalInserts(Cql cql, String what, WriteSizes sizes) {
    this.cql = cql;
    this.what = what;
    this.sizes = sizes;
  }

  /**
   * Adds an {@code INSERT … IF NOT EXISTS}.
   *
   * @param partition equal for rows of one Cassandra partition
   * @param bytes the size of what the row holds
   */
  void add(Object partition, long bytes, BatchableStatement<?> statement, Taken taken) {
    byPartition
        .computeIfAbsent(partition, unused -> new ArrayList<>())
        .add(new Insert(statement, bytes + ROW_BYTES, taken));
  }

  /** Inserts all; where a batch is refused, row by row, to see which key was taken. */
  void run() {
    List<List<Insert>> groups = new ArrayList<>();
    byPartition.values().forEach(rows -> groups.addAll(batches(rows)));
    List<Statement<?>> statements = new ArrayList<>();
    for (List<Insert> group : groups) {
      statements.add(
          group.size() == 1
              ? group.get(0).statement
              : BatchStatement.newInstance(
                  DefaultBatchType.LOGGED, group.stream().map(Insert::statement).toList()));
    }
    List<Applied> answers = cql.writeAllIf(what, statements);
    for (int i = 0; i < answers.size(); i++) {
      if (!answers.get(i).isApplied()) {
        List<Insert> group = groups.get(i);
        if (group.size() == 1) {
          group.get(0).taken.at(answers.get(i).row());
        } else {
          Cql.afterWriting(what, () -> group.forEach(this::insert));
        }
      }
    }
  }

  private List<List<Insert>> batches(List<Insert> rows) {
    List<List<Insert>> batches = new ArrayList<>();
    long bytes = sizes.group();
    for (Insert row : rows) {
      bytes += row.bytes;
      if (bytes > sizes.group()) {
        batches.add(new ArrayList<>());
        bytes = row.bytes;
      }
      batches.get(batches.size() - 1).add(row);
    }
    return batches;
  }

  private void insert(Insert insert) {
    Applied answer = cql.writeIf(what, insert.statement);
    if (!answer.isApplied()) {
      insert.taken.at(answer.row());
    }
  }
}
