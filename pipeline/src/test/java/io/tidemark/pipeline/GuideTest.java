package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The guide's example is this code, and it works. */
@Tag("P-2")
final class GuideTest {
  private static final String BEGIN = "    // begin\n";
  private static final String END = "\n    // end\n";

  private static final int SHOP = 1;
  private static final int INVOICE = 256;
  private static final RecordType CUSTOMER = RecordType.cdoc("Customer");
  private static final RecordType ORDER = RecordType.wdoc("Order");
  private static final RecordType LINES = RecordType.odoc("Lines");
  private static final RecordType LINE = RecordType.orecord("Line");

  @Test
  void guideAndReadme_showTheExample_asItIsCompiledHere() throws IOException {
    String source = Files.readString(Path.of("src/test/java/io/tidemark/pipeline/GuideTest.java"));
    int begin = source.indexOf(BEGIN) + BEGIN.length();
    String shown = source.substring(begin, source.indexOf(END)).stripIndent();
    for (String page : new String[] {"../docs/guide-pipeline.md", "../README.md"}) {
      assertThat(Files.readString(Path.of(page)))
          .as(page)
          .contains("```java\n" + shown + "\n```\n");
    }
  }

  @Test
  void order_throughTheWholePath_isLoggedAppliedAndAnswered() {
    CommandReply order = example();
    assertThat(order.plogOffset()).isEqualTo(1);
    assertThat(order.wlogOffset()).isEqualTo(1);
    assertThat(order.drawn(INVOICE)).isEqualTo(1);
    assertThat(order.newId(1)).isEqualTo(322685000131072L);
    assertThat(order.newId(2)).isEqualTo(322680000131072L);
    assertThat(order.newId(3)).isEqualTo(322680000131073L);
    assertThat(order.newId(4)).isEqualTo(322680000131074L);
  }

  private static CommandReply example() {
    CommandReply reply;
    // begin
    SequenceTypes sequences =
        SequenceTypes.builder()
            .platform(SHOP)
            .sequence(SHOP, INVOICE, SequenceDefinition.named("invoice").build())
            .build();
    try (IAppStorage storage = new MemoryStore().open("shop", Layout.of(4));
        AppPartitions partitions = new AppPartitions(storage, PipelineConfig.of(sequences))) {
      partitions.deploy(storage.layout().partitionOf(42));
      Command order =
          Command.named("CreateOrder", SHOP, 42)
              .create(CUSTOMER, 1, "name", "Ada")
              .create(ORDER, 2, "customer", Ref.to(1), "invoice", Draw.of(INVOICE))
              .argument(
                  ArgumentObject.of(LINES, 3)
                      .with(ArgumentObject.of(LINE, 4, "order", Ref.to(2), "pieces", 7)))
              .build();
      reply = partitions.processorFor(42).execute(order);
      System.out.println("logged at " + reply.plogOffset() + ", invoice " + reply.drawn(INVOICE));
      System.out.println("the order is record " + reply.newId(2));
      System.out.println(partitions.readRecord(42, reply.newId(2)));
      partitions.readWLog(42, 1, event -> System.out.println(event.name()));
    }
    // end
    return reply;
  }
}
