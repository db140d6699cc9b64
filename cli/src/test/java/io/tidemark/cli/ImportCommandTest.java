package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.IAppStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ImportCommandTest {
  @TempDir private Path folder;
  private ShopFile shop;

  @BeforeEach
  void fill() {
    shop = ShopFile.in(folder);
  }

  private Ran importing(String floors, String sequences) throws IOException {
    Path file = Files.writeString(folder.resolve("floors.csv"), floors);
    Path custom = Files.writeString(folder.resolve("sequences.txt"), sequences);
    return Ran.tidemark(
        "import",
        "--storage",
        shop.uri(),
        "--file",
        file.toString(),
        "--sequences",
        custom.toString());
  }

  @Test
  void import_ofFloors_movesTheNumbersOnceAndForAll() throws IOException {
    String floors = "wsid,kind,sequence,number\n2,1,invoices,5000\n# a note\n\n7,1,256,40\n";
    String sequences = "1,256,CREATE SEQUENCE invoices\n";

    Ran first = importing(floors, sequences);
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(first.out()).contains("2 workspaces read, 2 logged, 0 were there already");
    Ran second = importing(floors, sequences);
    assertThat(second.out()).contains("2 workspaces read, 0 logged, 2 were there already");

    try (IAppStorage app = shop.open(null)) {
      assertThat(app.reader(0).readNumbers(2, new int[] {256})).containsExactly(5000);
      assertThat(app.reader(1).readNumbers(7, new int[] {256})).containsExactly(40);
    }
    assertThat(Ran.tidemark("verify", "--storage", shop.uri()).code()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2,1,invoices,0          | line 1: number 0 is outside the range",
        "2,1,nothing,5           | line 1: kind 1 has no sequence 'nothing'",
        "2,1,invoices            | line 1: expected wsid,kind,sequence,number, found 3 cells",
        "x,1,invoices,5          | line 1: wsid must be a whole number of 64 bits, was 'x'",
        "2,70000,invoices,5      | line 1: kind must be 1..65535, was 70000",
        "2,2,sys.WLogOffsetSeq,5 | line 1: workspace 2 is stored with kind 1, not 2",
      })
  void import_ofABadLine_isRefusedBeforeAnythingIsWritten(String line, String problem)
      throws IOException {
    long before = events();

    Ran ran = importing(line + "\n", "1,256,CREATE SEQUENCE invoices\n");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(problem);
    assertThat(events()).isEqualTo(before);
  }

  @Test
  void import_ofAFileThatIsNotThere_namesIt() {
    Ran ran = Ran.tidemark("import", "--storage", shop.uri(), "--file", "no-such.csv");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("no-such.csv is not there");
  }

  private long events() {
    try (IAppStorage app = shop.open(null)) {
      return app.reader(0).logEnd() + app.reader(1).logEnd();
    }
  }
}
