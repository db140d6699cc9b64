package io.tidemark.storage.sqlite.guide;

// begin
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.ReplayBatcher;
import io.tidemark.spi.SeqValues;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Numbers beside a log of your own: one table, four methods. Sequence 0 holds the next offset. */
public final class AcmeNumbers implements ISeqStorage {
  public static final String TABLE =
      "CREATE TABLE numbers (wsid BIGINT, seq_id INT, number BIGINT, PRIMARY KEY (wsid, seq_id))";

  private static final String READ = "SELECT number FROM numbers WHERE wsid = ? AND seq_id = ?";
  private static final String RAISE = // in the database: a read and then a write would race
      "INSERT INTO numbers VALUES (?, ?, ?) ON CONFLICT (wsid, seq_id)"
          + " DO UPDATE SET number = excluded.number WHERE numbers.number < excluded.number";

  private final DataSource database;
  private final AcmeLog log;

  public AcmeNumbers(DataSource database, AcmeLog log) {
    this.database = database;
    this.log = log;
  }

  @Override
  public long[] readNumbers(long wsid, int[] seqIds) {
    try (Connection connection = database.getConnection();
        PreparedStatement read = connection.prepareStatement(READ)) {
      long[] numbers = new long[seqIds.length];
      for (int i = 0; i < seqIds.length; i++) {
        numbers[i] = number(read, wsid, seqIds[i]); // S-4: in the order asked, 0 = absent
      }
      return numbers;
    } catch (SQLException e) {
      throw new StorageUnavailableException("reading numbers of workspace " + wsid, e);
    }
  }

  private static long number(PreparedStatement read, long wsid, int seqId) throws SQLException {
    read.setLong(1, wsid);
    read.setInt(2, seqId);
    try (ResultSet row = read.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  @Override
  public long readNextPLogOffset() {
    return Math.max(1, readNumbers(0, new int[] {0})[0]); // S-6
  }

  @Override
  public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false); // S-7: one transaction for the values and the offset
      try (PreparedStatement raise = connection.prepareStatement(RAISE)) {
        for (int i = 0; i < batch.size(); i++) {
          raise(raise, batch.wsid(i), batch.seqId(i), batch.number(i));
        }
        raise(raise, 0, 0, nextOffset);
      }
      connection.commit();
    } catch (SQLException e) { // a commit that failed may have happened: never "nothing written"
      throw new OutcomeUnknownException("writing numbers up to offset " + nextOffset, e);
    }
  }

  private static void raise(PreparedStatement raise, long wsid, int seqId, long number)
      throws SQLException {
    raise.setLong(1, wsid);
    raise.setInt(2, seqId);
    raise.setLong(3, number);
    raise.executeUpdate();
  }

  @Override
  public void actualizeSequencesFromPLog(
      long from, Cancellation cancellation, ReplayBatcher batcher) {
    for (long offset = from; offset <= log.end(); offset++) {
      cancellation.check(); // a cut scan never returns normally
      batcher.accept(log.numbersAt(offset), offset);
    }
    cancellation.check();
  }
}
// end
