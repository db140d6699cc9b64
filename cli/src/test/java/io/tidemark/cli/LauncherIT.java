package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.testservers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a new user types, on the packaged command. */
final class LauncherIT {
  @TempDir private Path folder;

  private Launched tidemark(String... args) throws IOException, InterruptedException {
    Launched launched = Launched.tidemark(folder, args);
    assertThat(launched.err()).as("no build inside the build").doesNotContain("building");
    return launched;
  }

  private JsonObject json(Launched launched) {
    assertThat(launched.code()).as(launched.out() + launched.err()).isZero();
    return JsonParser.parseString(launched.out()).getAsJsonObject();
  }

  @Test
  void demo_withNoArgument_losesNothingInACrash() throws IOException, InterruptedException {
    Launched launched = tidemark("demo");

    assertThat(launched.code()).as(launched.out() + launched.err()).isZero();
    assertThat(launched.out())
        .contains("kill -9 worker process")
        .contains("answered orders that are lost: 0")
        .contains("everything is whole")
        .contains("Try next");
    assertThat(launched.err()).isEmpty();
  }

  @Test
  void sqlite_fromDemoToTorture_isWhole() throws IOException, InterruptedException {
    goThrough("sqlite:" + folder.resolve("shop.db") + "?app=shop");
  }

  @Test
  void postgres_fromDemoToTorture_isWhole() throws IOException, InterruptedException {
    PostgresServer server = PostgresServer.shared(18);
    server.createDatabase("launcher");
    goThrough("postgres://postgres@127.0.0.1:" + server.port() + "/launcher?app=shop");
  }

  private void goThrough(String uri) throws IOException, InterruptedException {
    JsonObject demo =
        json(
            tidemark(
                "demo",
                "--storage",
                uri,
                "--partitions",
                "2",
                "--commands",
                "400",
                "--seed",
                "7",
                "--json"));
    assertThat(demo.get("acknowledged").getAsLong()).isEqualTo(400);
    for (String nothing : new String[] {"duplicates", "gaps", "lost", "violations"}) {
      assertThat(demo.get(nothing).getAsLong()).as(nothing).isZero();
    }
    assertThat(demo.get("recoveredEvents").getAsLong()).isLessThanOrEqualTo(400);

    JsonObject inspected = json(tidemark("inspect", "--storage", uri, "--json"));
    assertThat(inspected.getAsJsonArray("partitions")).hasSize(2);
    assertThat(tidemark("rebuild", "--storage", uri, "--partition", "1").code()).isZero();
    Path floors = Files.writeString(folder.resolve("floors.csv"), "2,1,sys.WLogOffsetSeq,9000\n");
    assertThat(tidemark("import", "--storage", uri, "--file", floors.toString()).code()).isZero();

    Launched fought =
        tidemark(
            "torture",
            "--storage",
            uri,
            "--workers",
            "2",
            "--duration",
            "15s",
            "--seed",
            "3",
            "--json");
    JsonObject torture = json(fought);
    assertThat(torture.get("acknowledged").getAsLong()).isPositive();
    assertThat(torture.get("violations").getAsLong()).isZero();

    JsonObject verified = json(tidemark("verify", "--storage", uri, "--json"));
    assertThat(verified.get("violations").getAsLong()).isZero();
    assertThat(verified.get("events").getAsLong()).isGreaterThan(400);
  }

  @Test
  void schemaAndConfig_arePrinted() throws IOException, InterruptedException {
    assertThat(tidemark("schema", "print", "--storage", "postgres://u:p@host/db").out())
        .contains("CREATE TABLE");
    assertThat(tidemark("config", "print").out()).contains("max-unflushed-values");
    assertThat(tidemark("completion").out()).contains("tidemark", "torture");
  }

  @Test
  void badInput_isOneLine() throws IOException, InterruptedException {
    Launched launched = tidemark("verify", "--storage", "nowhere:x");

    assertThat(launched.code()).isEqualTo(2);
    assertThat(launched.err().lines()).hasSize(1);
    assertThat(launched.out()).isEmpty();
  }
}
