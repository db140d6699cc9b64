package io.tidemark.storage.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.StorageUri;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs in a process of its own, with a library that is none, so that it says the same on machines
 * that have FoundationDB's.
 */
class NativeClientTest {

  /** Opens twice: the first failure of a process says something else than the later ones. */
  static final class Opener {
    private Opener() {}

    public static void main(String[] arguments) {
      for (int attempt = 0; attempt < 2; attempt++) {
        try {
          new FoundationDbStorageDriver()
              .open(StorageUri.parse("fdb:/no/such/fdb.cluster?app=a"), null);
        } catch (StorageUnavailableException e) {
          System.out.println("refused: " + e.getMessage());
        }
      }
    }
  }

  @Test
  void open_withoutTheNativeLibrary_saysWhichOneAndHowToInstallIt(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path library = Files.writeString(folder.resolve("libfdb_c.so"), "not a library");
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-DFDB_LIBRARY_PATH_FDB_C=" + library,
                "-DFDB_LIBRARY_PATH_FDB_JAVA=" + library,
                "-cp",
                System.getProperty("java.class.path"),
                Opener.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("it ended").isTrue();
    } finally {
      process.destroyForcibly();
    }

    List<String> lines =
        Files.readAllLines(output, StandardCharsets.UTF_8).stream()
            .filter(line -> line.startsWith("refused: "))
            .toList();
    assertThat(lines).as("the same message for each attempt").hasSize(2);
    assertThat(lines.get(1)).isEqualTo(lines.get(0));
    assertThat(lines)
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith("refused: FoundationDB's native client library libfdb_c, version")
                    .contains("7.3 or newer")
                    .contains("foundationdb-clients")
                    .contains("-DFDB_LIBRARY_PATH_FDB_C=")
                    .contains(library.toString())
                    .doesNotContain("Could not initialize class"));
  }
}
