package io.tidemark.storage.sqlite.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.SeqValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteDataSource;

/** The guide shows code that is compiled here, and the numbers of it work. */
final class GuideTest {
  private static final String SOURCES = "src/test/java/io/tidemark/storage/sqlite/";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {"guide/AcmeNumbers.java", "guide/AcmePartition.java", "SqliteStorageTckTest.java"})
  void guide_showsTheCode_asItIsCompiledHere(String file) throws IOException {
    String source = Files.readString(Path.of(SOURCES + file));
    int begin = source.indexOf("// begin\n") + "// begin\n".length();
    String shown = source.substring(begin, source.indexOf("// end\n"));
    assertThat(Files.readString(Path.of("../docs/guide-write-a-storage.md")))
        .contains("```java\n" + shown + "```\n");
  }

  @Test
  void numbers_ofTheGuide_carryASequencerOverARestart() throws Exception {
    SQLiteDataSource database = new SQLiteDataSource();
    database.setUrl("jdbc:sqlite:" + folder.resolve("acme.db"));
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(AcmeNumbers.TABLE);
    }
    List<SeqValues> events = new ArrayList<>();
    AcmeNumbers storage = new AcmeNumbers(database, logOf(events));

    assertThat(draw(storage, events)).isEqualTo(1);
    assertThat(draw(storage, events)).isEqualTo(2);
    assertThat(storage.readNumbers(7, new int[] {999, 256})).containsExactly(0, 2);
    assertThat(storage.readNextPLogOffset()).isEqualTo(3);

    storage.writeValuesAndOffset(new SeqValues().add(7, 256, 1), 1);
    assertThat(storage.readNumbers(7, new int[] {256})).as("never lowered").containsExactly(2);
    assertThat(storage.readNextPLogOffset()).as("never lowered").isEqualTo(3);
  }

  static AcmeLog logOf(List<SeqValues> events) {
    return new AcmeLog() {
      @Override
      public long end() {
        return events.size();
      }

      @Override
      public SeqValues numbersAt(long offset) {
        return events.get((int) offset - 1);
      }
    };
  }

  /** A life of a sequencer: one number, logged, and closed. */
  private static long draw(AcmeNumbers storage, List<SeqValues> log) {
    SequenceDefinition orders = SequenceDefinition.named("orders").build();
    SequenceTypes types = SequenceTypes.builder().sequence(1, 256, orders).build();
    ISequencer sequencer = Sequencers.over(storage, SequencerConfig.of(types));
    long offset = sequencer.start(1, 7, Duration.ofMinutes(1));
    assertThat(offset).isEqualTo(log.size() + 1);
    long number = sequencer.next(256);
    log.add(new SeqValues().add(7, 256, number));
    sequencer.flush();
    assertThat(sequencer.close(Duration.ofMinutes(1))).as("all flushed").isTrue();
    return number;
  }
}
