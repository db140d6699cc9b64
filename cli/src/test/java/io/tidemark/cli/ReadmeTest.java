package io.tidemark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.Layout;
import io.tidemark.spi.StorageUri;
import io.tidemark.storage.memory.MemoryStorageDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** The README's example is this code, and it works. */
final class ReadmeTest {
  private static final String BEGIN = "    // begin\n";
  private static final String END = "\n    // end\n";

  private static final int SHOP = 1;
  private static final int ORDER = 256;

  @Test
  void example_runTwice_drawsTheNextNumberEachTime() {
    example(42);
    example(42);
    try (var app = new MemoryStorageDriver().open(StorageUri.parse("memory:shop"), null)) {
      var events = new ArrayList<String>();
      app.reader(0).readPLog(1, event -> events.add(new String(event.payload(), UTF_8)));
      assertThat(events).containsExactly("order 1", "order 2");
    }
  }

  @Test
  void readme_showsTheExample_asItIsCompiledHere() throws IOException {
    String source = read("src/test/java/io/tidemark/cli/ReadmeTest.java");
    int begin = source.indexOf(BEGIN) + BEGIN.length();
    String shown = source.substring(begin, source.indexOf(END)).stripIndent();
    assertThat(read("../README.md")).contains("```java\n" + shown + "\n```\n");
  }

  private static String read(String path) throws IOException {
    return Files.readString(Path.of(path));
  }

  private static void example(long workspace) {
    // begin
    SequenceDefinition orders = SequenceDefinition.named("orders").build();
    SequenceTypes types = SequenceTypes.builder().sequence(SHOP, ORDER, orders).build();
    try (var app = new MemoryStorageDriver().open(StorageUri.parse("memory:shop"), Layout.of(1));
        var partition = Sequencers.of(app, SequencerConfig.of(types)).claim(0, "readme")) {
      try (var tx = partition.begin(SHOP, workspace, Duration.ofSeconds(5))) {
        long order = tx.next(ORDER); // 1, then 2, then 3
        tx.append(("order " + order).getBytes(UTF_8)); // without it, the number is given back
      }
    }
    // end
  }
}
