package io.tidemark.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.spi.StorageUri;
import io.tidemark.storage.memory.MemoryStorageDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

  @Test
  void runner_overADriver_checksWhatNeedsNoRawAccessAndSaysWhatIsMissing(@TempDir Path folder)
      throws IOException {
    List<String> progress = new ArrayList<>();
    CertificationReport report =
        TckRunner.of(new MemoryStorageDriver(), StorageUri.parse("memory:report"))
            .tries(3)
            .progress((result, done, total) -> progress.add(done + "/" + total))
            .run();
    assertThat(report.broken()).isEmpty();
    assertThat(report.certified()).as("without raw access there is no certificate").isFalse();
    assertThat(report.partly()).isTrue();
    assertThat(report.missing())
        .isNotEmpty()
        .allMatch(result -> result.message().equals("needs raw access"));
    int total = report.results().size();
    assertThat(progress).hasSize(total).endsWith(total + "/" + total);
    report.writeTo(folder);
    JsonObject json =
        JsonParser.parseString(Files.readString(folder.resolve("tck.json"))).getAsJsonObject();
    assertThat(json.get("certified").getAsBoolean()).isFalse();
    assertThat(json.getAsJsonArray("checks")).hasSize(total);
    assertThat(json.getAsJsonObject("rules").get("S-8").getAsString()).isEqualTo("PASSED");
    assertThat(Files.readString(folder.resolve("tck.html")))
        .contains("not everything checked", "S-8", "needs raw access")
        .doesNotContain("<script", "http://", "https://");
  }

  @Test
  void runner_overTheReferenceStorage_certifiesItInFull() {
    CertificationReport report = TckRunner.of(MemoryStorageTckTest.class).tries(5).run();
    assertThat(report.missing()).isEmpty();
    assertThat(report.certified()).isTrue();
    assertThat(report.summary()).contains("CERTIFIED FULL");
    assertThat(report.results()).allMatch(result -> result.tries() <= 5);
    assertThat(report.results())
        .filteredOn(
            result -> result.name().equals("write_ofManyKeys_storesEveryValueWithTheOffset"))
        .allMatch(result -> result.tries() == 5 && !result.seed().isEmpty());
  }

  @Test
  void runner_withARuleAndASeed_runsThatRuleWithThatSeed() {
    CertificationReport report =
        TckRunner.of(MemoryStorageTckTest.class).rules(Set.of("S-8")).seed(42).run();
    assertThat(report.certified()).as("one rule is no certificate").isFalse();
    assertThat(report.results())
        .filteredOn(result -> result.verdict() != Verdict.NOT_RUN)
        .isNotEmpty()
        .allMatch(result -> result.rules().contains("S-8") && result.seed().equals("42"));
  }

  @Test
  void runner_withAnUnknownRule_isRefused() {
    TckRunner runner = TckRunner.of(MemoryStorageTckTest.class).rules(Set.of("Z-1"));
    assertThatThrownBy(runner::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Z-1");
  }
}
