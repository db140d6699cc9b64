package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No figure is checked here: a build's machine is busy. */
final class BenchCommandTest {
  @TempDir private Path folder;

  private static void assertUsage(Ran ran, String... words) {
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).startsWith("tidemark: ").contains(words).doesNotContain("\tat ");
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void part_thatIsUnknown_listsTheKnownOnes() {
    assertUsage(
        Ran.tidemark("bench", "--only", "replay,speed"), "--only", "'speed'", "start-up", "replay");
  }

  @Test
  void events_tooFew_areNamed() {
    assertUsage(Ran.tidemark("bench", "--only", "start-up", "--events", "10"), "2000", "10");
  }

  @Test
  void storage_withoutAPlainWayIn_isNamed() {
    assertUsage(
        Ran.tidemark("bench", "--only", "storage", "--storage", "memory:bench"),
        "'memory'",
        "postgres:");
  }

  @Test
  void run_answersFiguresPlotsAndTheMachine() throws IOException {
    Ran ran =
        Ran.tidemark(
            "bench",
            "--quick",
            "--only",
            "start-up",
            "--events",
            "2000",
            "--json",
            "--report",
            folder.toString());

    assertThat(ran.code()).as(ran.err()).isLessThan(2);
    JsonObject answer = JsonParser.parseString(ran.out()).getAsJsonObject();
    assertThat(answer.getAsJsonObject("machine").keySet())
        .contains("processor", "cores", "loadAverageAtStart", "jvm");
    JsonObject figure = answer.getAsJsonArray("figures").get(0).getAsJsonObject();
    assertThat(figure.get("what").getAsString()).contains("2,000 events");
    assertThat(figure.get("target").getAsString()).isEqualTo("<= 2");
    assertThat(figure.get("verdict").getAsString()).isIn("pass", "short", "unsure");
    assertThat(answer.getAsJsonArray("plots"))
        .extracting(JsonElement::isJsonObject)
        .containsExactly(true);
    assertThat(Files.readString(folder.resolve("bench.html"))).contains("2,000 events", "<svg");
  }
}
