package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import org.junit.jupiter.api.Test;

/** One order through the whole path. */
final class OrderTest {
  private static final int SHOP = 1;
  private static final int INVOICE = 256;
  private static final RecordType CUSTOMER = RecordType.cdoc("Customer");
  private static final RecordType ORDER = RecordType.wdoc("Order");
  private static final RecordType LINES = RecordType.odoc("Lines");
  private static final RecordType LINE = RecordType.orecord("Line");

  @Test
  void order_throughTheWholePath_isLoggedAppliedAndAnswered() {
    SequenceTypes sequences =
        SequenceTypes.builder()
            .platform(SHOP)
            .sequence(SHOP, INVOICE, SequenceDefinition.named("invoice").build())
            .build();
    try (IAppStorage storage = new MemoryStore().open("shop", Layout.of(4));
        AppPartitions partitions = new AppPartitions(storage, PipelineConfig.of(sequences))) {
      partitions.deploy(storage.layout().partitionOf(42));

      CommandReply reply =
          partitions
              .processorFor(42)
              .execute(
                  Command.named("CreateOrder", SHOP, 42)
                      .create(CUSTOMER, 1, "name", "Ada")
                      .create(ORDER, 2, "customer", Ref.to(1), "invoice", Draw.of(INVOICE))
                      .argument(
                          ArgumentObject.of(LINES, 3)
                              .with(ArgumentObject.of(LINE, 4, "order", Ref.to(2), "pieces", 7)))
                      .build());

      assertThat(reply.plogOffset()).isEqualTo(1);
      assertThat(reply.wlogOffset()).isEqualTo(1);
      assertThat(reply.drawn(INVOICE)).isEqualTo(1);
      assertThat(reply.newId(1)).isEqualTo(322685000131072L);
      assertThat(reply.newId(2)).isEqualTo(322680000131072L);
      assertThat(reply.newId(3)).isEqualTo(322680000131073L);
      assertThat(reply.newId(4)).isEqualTo(322680000131074L);
    }
  }
}
