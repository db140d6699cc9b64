package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each kind of damage, planted in the database itself, is found and named. */
final class VerifyCommandTest {
  @TempDir private Path folder;
  private ShopFile shop;

  @BeforeEach
  void fill() {
    shop = ShopFile.in(folder);
  }

  private Ran verify(String... more) {
    String[] args = new String[more.length + 3];
    args[0] = "verify";
    args[1] = "--storage";
    args[2] = shop.uri();
    System.arraycopy(more, 0, args, 3, more.length);
    return Ran.tidemark(args);
  }

  @Test
  void verify_ofAnUndamagedStorage_isFine() {
    Ran ran = verify();

    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).contains("60 events").contains("whole: I1 to I9");
    assertThat(ran.code()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "I4  | PLog: | DELETE FROM tidemark_plog WHERE part = 0 AND plog_offset = 7",
        "I4  | PLog: PLog offset 5 is not a readable event | UPDATE tidemark_plog SET event = x'01' WHERE part = 0 AND plog_offset = 5",
        "I5  | sequence 256 of workspace 2 | UPDATE tidemark_number SET number = 1 WHERE wsid = 2 AND seq_id = 256",
        "I5  | sequence 4 of workspace 2   | DELETE FROM tidemark_number WHERE wsid = 2 AND seq_id = 4",
        "I6  | sequence 256 of workspace 2 | UPDATE tidemark_number SET number = 999 WHERE wsid = 2 AND seq_id = 256",
        "I6  | sequence 300 of workspace 2 | INSERT INTO tidemark_number SELECT app, part, generation, wsid, 300, 1 FROM tidemark_number WHERE wsid = 2 AND seq_id = 256",
        "I7  | next offset   | UPDATE tidemark_generation SET next_offset = 999 WHERE part = 0",
        "I21 | WLog offset 3 of workspace 2 | DELETE FROM tidemark_wlog WHERE wsid = 2 AND id = 3",
        "I21 | record 322680000131072 of workspace 2 | DELETE FROM tidemark_record WHERE wsid = 2 AND id = 322680000131072",
        "I12 | WLog offset 11 of workspace 2 | INSERT INTO tidemark_wlog SELECT app, part, wsid, 11, plog_offset, x'01' FROM tidemark_wlog WHERE wsid = 2 AND id = 3",
        "I12 | WLog offset 3 of workspace 2 | UPDATE tidemark_wlog SET data = x'01' WHERE wsid = 2 AND id = 3",
        "I12 | record 322680000999999 of workspace 2 | INSERT INTO tidemark_record SELECT app, part, wsid, 322680000999999, 1, x'01' FROM tidemark_record WHERE wsid = 2 AND id = 322680000131072",
        "I12 | record 322680000131072 of workspace 2 | UPDATE tidemark_record SET data = x'01' WHERE wsid = 2 AND id = 322680000131072",
        "I12 | PLog offset 3 | UPDATE tidemark_partition SET failure_key = 'PLog offset 3', failure_cause = 'planted' WHERE part = 0",
      })
  void verify_ofDamage_namesTheInvariantAndTheKey(String invariant, String key, String sql)
      throws SQLException {
    shop.damage(sql);

    Ran ran = verify();

    assertThat(ran.code()).as(ran.out() + ran.err()).isEqualTo(1);
    assertThat(ran.out()).contains("BROKEN " + invariant + ", partition 0, " + key);
    assertThat(ran.out()).contains("remedy: ");
  }

  @ParameterizedTest
  @CsvSource({"0, I1, gave", "3, I2, a gap"})
  void verify_ofANumberGivenTwiceOrLeftOut_namesTheEvent(long shift, String invariant, String what)
      throws SQLException {
    long offset = lastOf(2);
    shop.rewrite(offset, event -> withInvoice(event, shift));

    Ran ran = verify();

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .contains("BROKEN " + invariant + ", partition 0, PLog offset " + offset)
        .contains("sequence 256 of workspace 2")
        .contains(what);
  }

  /** The same event with its invoice number moved by {@code shift} from the number before it. */
  private static PLogEvent withInvoice(PLogEvent event, long shift) {
    EventHeader header = event.header();
    List<SequenceTouch> touches =
        header.touches().stream()
            .map(
                touch ->
                    touch.seqId() == Shop.INVOICE
                        ? new SequenceTouch(touch.seqId(), 1, touch.last() - 1 + shift, false)
                        : touch)
            .toList();
    return new PLogEvent(
        event.offset(),
        new EventHeader(
            header.writeId(),
            header.groupFirst(),
            header.wsid(),
            header.wsKind(),
            header.wlogOffset(),
            header.corrupted(),
            touches),
        event.payload());
  }

  private long lastOf(long wsid) {
    long[] last = new long[1];
    try (IAppStorage app = shop.open(null)) {
      app.reader(0)
          .readPLog(
              1,
              event -> {
                if (event.header().wsid() == wsid) {
                  last[0] = event.offset();
                }
                return true;
              });
    }
    return last[0];
  }

  @Test
  void verify_withLittleMemory_findsTheSameInManyPasses() throws SQLException {
    shop.damage("DELETE FROM tidemark_wlog WHERE wsid = 2 AND id = 3");

    Ran ran = verify("--entries", "10");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("60 events").contains("WLog offset 3 of workspace 2");
    assertThat(ran.out().split("BROKEN", -1)).as("told once").hasSize(2);
  }

  @Test
  void verify_asJson_listsTheViolations() throws SQLException {
    shop.damage("UPDATE tidemark_generation SET next_offset = 999 WHERE part = 0");

    Ran ran = verify("--json");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).startsWith("{").contains("\"invariant\": \"I7\"");
  }

  @Test
  void rebuild_ofLoweredNumbers_makesTheStorageWhole() throws SQLException {
    shop.damage("UPDATE tidemark_number SET number = 1 WHERE seq_id = 256");
    shop.damage("UPDATE tidemark_generation SET next_offset = 999 WHERE part = 0");
    for (String partition : List.of("0", "1")) {
      Ran rebuilt = Ran.tidemark("rebuild", "--storage", shop.uri(), "--partition", partition);
      assertThat(rebuilt.code()).as(rebuilt.err()).isZero();
      assertThat(rebuilt.out()).contains("generation 2 is in use");
    }

    assertThat(verify().code()).isZero();
  }
}
