package io.tidemark.storage.postgres;

import io.tidemark.api.FencedException;
import io.tidemark.spi.SeqDataBatch;
import io.tidemark.spi.SeqValues;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The numbers of all partitions of an application.
 *
 * <p>A write never lowers a number and takes no epoch. Its rows are sorted by key: two unsorted
 * writes of the same rows deadlock.
 */
final class SeqData {
  private static final String WRITE =
      """
      WITH v AS (
        INSERT INTO $.seq_data AS s (app, partition, generation, wsid, seq_id, number)
        SELECT ?, unnest(?::integer[]), unnest(?::bigint[]), unnest(?::bigint[]),
          unnest(?::integer[]), unnest(?::bigint[])
        ON CONFLICT (app, partition, generation, wsid, seq_id) DO UPDATE
          SET number = excluded.number WHERE s.number < excluded.number)
      INSERT INTO $.seq_offset AS o (app, partition, generation, next_offset)
      SELECT ?, p, g, n FROM unnest(?::integer[], ?::bigint[], ?::bigint[]) AS t(p, g, n)
      ON CONFLICT (app, partition, generation) DO UPDATE
        SET next_offset = excluded.next_offset WHERE o.next_offset < excluded.next_offset""";

  /** The generation in use comes along: the rows of a replaced one are gone, not absent. */
  private static final String NUMBERS =
      """
      SELECT o.generation, s.seq_id, s.number FROM $.partition o
      LEFT JOIN $.seq_data s ON s.app = o.app AND s.partition = o.partition
        AND s.generation = coalesce(nullif(?::bigint, 0), o.generation)
        AND s.wsid = ? AND s.seq_id = ANY (?)
      WHERE o.app = ? AND o.partition = ?""";

  private static final String NEXT_OFFSET =
      """
      SELECT o.generation, s.next_offset FROM $.partition o
      LEFT JOIN $.seq_offset s ON s.app = o.app AND s.partition = o.partition
        AND s.generation = coalesce(nullif(?::bigint, 0), o.generation)
      WHERE o.app = ? AND o.partition = ?""";

  private static final String DELETE_OLDER =
      """
      DELETE FROM $.%s WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM $.%s WHERE app = ? AND partition = ? AND generation < ? LIMIT 10000))""";

  /** Stands for the generation in use. */
  static final long IN_USE = 0;

  private final Database database;

  SeqData(Database database) {
    this.database = database;
  }

  long[] readNumbers(PartitionKey key, long generation, long wsid, int[] seqIds) {
    return database.read(
        "reading numbers of " + key,
        connection -> {
          try (PreparedStatement query = connection.prepareStatement(database.sql(NUMBERS))) {
            new Binder(query)
                .bigint(generation)
                .bigint(wsid)
                .object(seqIds)
                .number(key.app())
                .number(key.partition());
            try (ResultSet rows = query.executeQuery()) {
              return numbers(key, generation, seqIds, rows);
            }
          }
        });
  }

  private static long[] numbers(PartitionKey key, long generation, int[] seqIds, ResultSet rows)
      throws SQLException {
    long[] answer = new long[seqIds.length];
    while (rows.next()) {
      requireInUse(key, generation, rows.getLong(1));
      int seqId = rows.getInt(2);
      for (int i = 0; i < seqIds.length; i++) {
        if (seqIds[i] == seqId) {
          answer[i] = rows.getLong(3);
        }
      }
    }
    return answer;
  }

  private static void requireInUse(PartitionKey key, long generation, long inUse) {
    if (generation != IN_USE && generation < inUse) {
      throw new FencedException(
          "SeqData generation %d of %s was replaced by %d: claim the partition again"
              .formatted(generation, key, inUse));
    }
  }

  long readNextOffset(PartitionKey key, long generation) {
    return database.read(
        "reading the next offset of " + key,
        connection -> {
          try (PreparedStatement query = connection.prepareStatement(database.sql(NEXT_OFFSET))) {
            new Binder(query).bigint(generation).number(key.app()).number(key.partition());
            try (ResultSet rows = query.executeQuery()) {
              if (!rows.next()) {
                return 1L;
              }
              requireInUse(key, generation, rows.getLong(1));
              return Math.max(1, rows.getLong(2));
            }
          }
        });
  }

  /** Writes what waits in many partitions of one application, in one statement. */
  void write(List<SeqDataBatch> batches) {
    if (batches.isEmpty()) {
      return;
    }
    List<Target> targets = new ArrayList<>(batches.size());
    for (SeqDataBatch batch : batches) {
      targets.add(
          new Target((PostgresPartition) batch.partition(), batch.values(), batch.nextOffset()));
    }
    writeTargets(targets);
  }

  /** Writes into a generation that is under construction. */
  void write(PostgresPartition partition, long generation, SeqValues values, long nextOffset) {
    writeTargets(
        List.of(
            new Target(
                partition.key().app(),
                partition.key().partition(),
                generation,
                values,
                Group.requireOffset("nextOffset", nextOffset))));
  }

  /** One batch and where it goes. */
  private record Target(
      int app, int partition, long generation, SeqValues values, long nextOffset) {
    Target(PostgresPartition handle, SeqValues values, long nextOffset) {
      this(
          handle.key().app(),
          handle.partition(),
          handle.generation(),
          values,
          Group.requireOffset("nextOffset", nextOffset));
    }
  }

  /** One number and where it goes. */
  private record Value(int partition, long generation, long wsid, int seqId, long number) {
    static final Comparator<Value> BY_KEY =
        Comparator.comparingInt(Value::partition)
            .thenComparingLong(Value::generation)
            .thenComparingLong(Value::wsid)
            .thenComparingInt(Value::seqId);
  }

  private void writeTargets(List<Target> targets) {
    int app = targets.get(0).app();
    Value[] values = sorted(targets);
    Target[] offsets = merged(targets);
    String what = "writing numbers of " + offsets.length + " partitions";
    database.write(
        what,
        connection -> {
          try (PreparedStatement statement = prepare(connection, app, values, offsets)) {
            int written = statement.executeUpdate();
            Database.requireNoWarning(what, statement);
            return written;
          }
        });
  }

  /** By key, each key once: the same row twice in one statement is an error. */
  private static Value[] sorted(List<Target> targets) {
    List<Value> all = new ArrayList<>();
    for (Target target : targets) {
      SeqValues values = target.values();
      for (int i = 0; i < values.size(); i++) {
        all.add(
            new Value(
                target.partition(),
                target.generation(),
                values.wsid(i),
                values.seqId(i),
                values.number(i)));
      }
    }
    all.sort(Value.BY_KEY);
    List<Value> merged = new ArrayList<>(all.size());
    for (Value value : all) {
      int last = merged.size() - 1;
      if (last >= 0 && Value.BY_KEY.compare(merged.get(last), value) == 0) {
        if (merged.get(last).number() < value.number()) {
          merged.set(last, value);
        }
      } else {
        merged.add(value);
      }
    }
    return merged.toArray(new Value[0]);
  }

  private static Target[] merged(List<Target> targets) {
    Comparator<Target> byKey =
        Comparator.comparingInt(Target::partition).thenComparingLong(Target::generation);
    List<Target> sorted = new ArrayList<>(targets);
    sorted.sort(byKey.thenComparingLong(Target::nextOffset));
    List<Target> merged = new ArrayList<>(sorted.size());
    for (Target target : sorted) {
      int last = merged.size() - 1;
      if (last >= 0 && byKey.compare(merged.get(last), target) == 0) {
        merged.set(last, target);
      } else {
        merged.add(target);
      }
    }
    return merged.toArray(new Target[0]);
  }

  private PreparedStatement prepare(
      Connection connection, int app, Value[] values, Target[] offsets) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(database.sql(WRITE));
    new Binder(statement)
        .number(app)
        .object(Arrays.stream(values).mapToInt(Value::partition).toArray())
        .object(Arrays.stream(values).mapToLong(Value::generation).toArray())
        .object(Arrays.stream(values).mapToLong(Value::wsid).toArray())
        .object(Arrays.stream(values).mapToInt(Value::seqId).toArray())
        .object(Arrays.stream(values).mapToLong(Value::number).toArray())
        .number(app)
        .object(Arrays.stream(offsets).mapToInt(Target::partition).toArray())
        .object(Arrays.stream(offsets).mapToLong(Target::generation).toArray())
        .object(Arrays.stream(offsets).mapToLong(Target::nextOffset).toArray());
    return statement;
  }

  /** Deletes what nobody reads any more, some rows at a time. */
  void deleteOlder(PartitionKey key, long generation) {
    for (String table : List.of("seq_data", "seq_offset")) {
      String text = database.sql(DELETE_OLDER.formatted(table, table));
      int deleted;
      do {
        deleted =
            database.write(
                "deleting older numbers of " + key,
                connection -> {
                  try (PreparedStatement statement = connection.prepareStatement(text)) {
                    new Binder(statement)
                        .number(key.app())
                        .number(key.partition())
                        .bigint(generation);
                    return statement.executeUpdate();
                  }
                });
      } while (deleted > 0);
    }
  }
}
