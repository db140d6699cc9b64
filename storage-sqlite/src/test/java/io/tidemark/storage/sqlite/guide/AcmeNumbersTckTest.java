package io.tidemark.storage.sqlite.guide;

import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.SeqValues;
import io.tidemark.tck.SequencesTck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.sqlite.SQLiteDataSource;

/** The guide's numbers, certified as somebody beside their own log would. */
final class AcmeNumbersTckTest extends SequencesTck {
  private static SQLiteDataSource database = new SQLiteDataSource();
  private static List<SeqValues> events = List.of();

  @Override
  public ISeqStorage openFresh() {
    events = new CopyOnWriteArrayList<>();
    database = new SQLiteDataSource();
    try {
      Files.createDirectories(Path.of("target"));
      Path folder = Files.createTempDirectory(Path.of("target"), "acme");
      database.setUrl("jdbc:sqlite:" + folder.resolve("acme.db"));
      database.setBusyTimeout(60_000);
      try (Connection connection = database.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(AcmeNumbers.TABLE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return reopen();
  }

  @Override
  public ISeqStorage reopen() {
    return new AcmeNumbers(database, GuideTest.logOf(events));
  }

  @Override
  public void appendToLog(long offset, SeqValues numbers) {
    SeqValues copy = new SeqValues();
    for (int i = 0; i < numbers.size(); i++) {
      copy.add(numbers.wsid(i), numbers.seqId(i), numbers.number(i));
    }
    events.add(copy);
  }
}
