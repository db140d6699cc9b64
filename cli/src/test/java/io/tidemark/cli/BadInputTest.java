package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One line that names the thing and the remedy, the right exit code, and no stack trace. */
final class BadInputTest {
  @TempDir private Path folder;

  private static void assertOneLine(Ran ran, int code, String... words) {
    assertThat(ran.code()).isEqualTo(code);
    assertThat(ran.err()).startsWith("tidemark: ").contains(words).doesNotContain("\tat ");
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void storage_ofAnUnknownScheme_listsTheKnownOnes() {
    assertOneLine(
        Ran.tidemark("inspect", "--storage", "oracle:x"), 2, "'oracle'", "sqlite (", "postgres (");
  }

  @Test
  void storage_malformed_isNamed() {
    assertOneLine(Ran.tidemark("inspect", "--storage", "shop.db"), 2, "'shop.db'", "scheme");
  }

  @Test
  void storage_thatIsNotThere_isNotCreated() {
    Path file = folder.resolve("typo.db");

    assertOneLine(Ran.tidemark("verify", "--storage", "sqlite:" + file), 2, "'default'");
    assertThat(file).doesNotExist();
  }

  @Test
  void server_thatIsDown_isUnreachable() {
    assertOneLine(
        Ran.tidemark("inspect", "--storage", "postgres://nobody:secret@127.0.0.1:1/none"),
        3,
        "127.0.0.1:1");
  }

  @Test
  void errors_neverShowAPassword() {
    Ran ran =
        Ran.tidemark("inspect", "--verbose", "--storage", "postgres://u:s3cret@127.0.0.1:1/none");

    assertThat(ran.err()).doesNotContain("s3cret");
  }

  @Test
  void partition_thatDoesNotExist_isNamed() {
    ShopFile shop = ShopFile.in(folder);

    assertOneLine(
        Ran.tidemark("inspect", "--storage", shop.uri(), "--partition", "7"), 2, "0..1", "7");
    assertOneLine(
        Ran.tidemark("demo", "--storage", shop.uri(), "--partitions", "3"), 2, "partitions=2");
  }

  @Test
  void memory_isRefusedWhereProcessesMustShareIt() {
    assertOneLine(
        Ran.tidemark("torture", "--storage", "memory:t", "--duration", "1s"),
        2,
        "several processes",
        "sqlite");
  }

  @Test
  void duration_malformed_showsTheForm() {
    Ran ran = Ran.tidemark("torture", "--storage", "memory:t", "--duration", "soon");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("'soon'", "25s");
  }

  @Test
  void settings_comeFromTheEnvironmentThenTheFileThenTheDefaults() {
    Properties file = new Properties();
    file.setProperty("trust-level", "1");
    file.setProperty("storage", "sqlite:file.db");
    Settings settings =
        new Settings(Map.of("TIDEMARK_STORAGE", "postgres://u:s3cret@host/db"), file);

    assertThat(settings.get(Settings.STORAGE).shown()).isEqualTo("postgres://u:***@host/db");
    assertThat(settings.get(Settings.STORAGE).source()).isEqualTo("environment TIDEMARK_STORAGE");
    assertThat(settings.number(Settings.TRUST_LEVEL)).isEqualTo(1);
    assertThat(settings.number(Settings.MAX_UNFLUSHED)).isEqualTo(500);
    assertThat(Files.exists(Settings.FILE)).as("no file of ours in the build").isFalse();
  }
}
