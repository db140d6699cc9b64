package io.tidemark.storage.sqlite;

import io.tidemark.spi.SeqValues;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one partition, by generation. A generation is there exactly as long as its row in
 * {@code tidemark_generation}: without it nothing is read and nothing is written.
 */
final class SeqData {
  /** The generation asked for, or the one in use where none is. */
  private static final String GENERATION =
      """
      g.app = ?1 AND g.part = ?2 AND g.generation = coalesce(?3,
        (SELECT p.generation FROM tidemark_partition p WHERE p.app = ?1 AND p.part = ?2))""";

  /** One statement, so that numbers and the existence of their generation are of one moment. */
  private static final String NUMBERS =
      """
      SELECT n.seq_id, n.number FROM tidemark_generation g LEFT JOIN tidemark_number n
        ON n.app = g.app AND n.part = g.part AND n.generation = g.generation AND n.wsid = ?4
      WHERE\s"""
          + GENERATION;

  private static final String NEXT_OFFSET =
      "SELECT g.next_offset FROM tidemark_generation g WHERE " + GENERATION;
  private static final String RAISE_OFFSET =
      """
      UPDATE tidemark_generation SET next_offset = max(next_offset, ?)
      WHERE app = ? AND part = ? AND generation = ?""";
  private static final String RAISE_NUMBER =
      """
      INSERT INTO tidemark_number VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET number = excluded.number WHERE number < excluded.number""";
  private static final String DELETE_SOME_OLDER =
      """
      DELETE FROM tidemark_number WHERE (app, part, generation, wsid, seq_id) IN (
        SELECT app, part, generation, wsid, seq_id FROM tidemark_number
        WHERE app = ? AND part = ? AND generation < ? LIMIT 10000)""";

  private record Stored(int seqId, long number) {}

  private SeqData() {}

  /** The numbers; empty if there is no such generation. */
  static Optional<long[]> read(
      Session session, long app, int partition, @Nullable Long generation, long wsid, int[] seqIds)
      throws SQLException {
    List<Stored> stored =
        session.all(
            NUMBERS,
            row -> new Stored(row.getInt(1), row.getLong(2)),
            app,
            partition,
            generation,
            wsid);
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    Map<Integer, Long> numbers = new HashMap<>();
    stored.forEach(number -> numbers.put(number.seqId(), number.number()));
    long[] answer = new long[seqIds.length];
    for (int i = 0; i < seqIds.length; i++) {
      answer[i] = numbers.getOrDefault(seqIds[i], 0L);
    }
    return Optional.of(answer);
  }

  /** The next offset; empty if there is no such generation. */
  static Optional<Long> nextOffset(
      Session session, long app, int partition, @Nullable Long generation) throws SQLException {
    return session.first(NEXT_OFFSET, row -> row.getLong(1), app, partition, generation);
  }

  /** Writes to a generation; where there is none any more, nothing: nobody would read it. */
  static void write(
      Session session, long app, int partition, long generation, SeqValues batch, long nextOffset)
      throws SQLException {
    if (session.update(RAISE_OFFSET, nextOffset, app, partition, generation) == 0) {
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      session.update(
          RAISE_NUMBER, app, partition, generation, batch.wsid(i), batch.seqId(i), batch.number(i));
    }
  }

  static void create(Session session, long app, int partition, long generation)
      throws SQLException {
    session.update(
        "INSERT OR IGNORE INTO tidemark_generation VALUES (?, ?, ?, 1)",
        app,
        partition,
        generation);
  }

  /**
   * From here on the older generations are gone for readers and writers; their rows still stand.
   */
  static void retireOlder(Session session, long app, int partition, long generation)
      throws SQLException {
    session.update(
        "DELETE FROM tidemark_generation WHERE app = ? AND part = ? AND generation < ?",
        app,
        partition,
        generation);
  }

  /** Deletes rows of older generations; false when there are none left. */
  static boolean deleteSomeOlder(Session session, long app, int partition, long generation)
      throws SQLException {
    return session.update(DELETE_SOME_OLDER, app, partition, generation) > 0;
  }
}
