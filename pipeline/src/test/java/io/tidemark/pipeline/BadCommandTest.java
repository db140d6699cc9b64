package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceExhaustedException;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.TrustLevel;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever is wrong with a command, nothing is logged and no number is lost. */
@Tag("P-5")
final class BadCommandTest {
  private final MemoryStore store =
      MemoryStore.builder().groupLimit(new GroupLimit(10, 4000)).build();
  private final IAppStorage storage = store.open("shop", Layout.of(1));
  private AppPartitions partitions = new AppPartitions(storage, PipelineConfig.of(Shop.SEQUENCES));

  @AfterEach
  void close() {
    partitions.close();
  }

  private static Command.Builder command() {
    return Command.named("test", Shop.KIND, 7);
  }

  private CommandReply execute(Command.Builder command) {
    if (partitions.partitions().isEmpty()) {
      partitions.deploy(0);
    }
    return partitions.processor(0).execute(command.build());
  }

  private void assertRefused(Command.Builder command, String... words) {
    CommandReply before = execute(command().create(Shop.ORDER, 1));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> execute(command))
        .withMessageContainingAll(words);
    CommandReply after = execute(command().create(Shop.ORDER, 1));
    assertThat(after.plogOffset()).isEqualTo(before.plogOffset() + 1);
    assertThat(after.wlogOffset()).isEqualTo(before.wlogOffset() + 1);
    assertThat(after.newId(1)).as("no id is lost").isEqualTo(before.newId(1) + 1);
    assertThat(storage.reader(0).logEnd()).isEqualTo(after.plogOffset());
  }

  @Test
  void rawId_givenTwice_isRefused() {
    assertRefused(
        command().create(Shop.ORDER, 5).create(Shop.CUSTOMER, 5), "cuds[1]", "raw id 5", "twice");
    assertRefused(
        command().create(Shop.ORDER, 5).argument(ArgumentObject.of(Shop.LINES, 5)),
        "argument[0]",
        "raw id 5");
  }

  @Test
  void reference_toAnUnknownRawId_isRefused() {
    assertRefused(
        command().create(Shop.ORDER, 1, "what", "tea", "customer", Ref.to(9)),
        "cuds[0]",
        "customer",
        "raw id 9");
    assertRefused(
        command()
            .argument(
                ArgumentObject.of(Shop.LINES, 1)
                    .with(ArgumentObject.of(Shop.LINE, 2, "order", Ref.to(9)))),
        "argument[1]",
        "order",
        "raw id 9");
  }

  @Test
  void id_outsideItsRegister_isRefused() {
    for (long id : new long[] {-1, 66_048, 131_071, Shop.FIRST_C, Long.MAX_VALUE}) {
      assertRefused(command().create(Shop.ORDER, id), "cuds[0]", "id " + id);
    }
    assertRefused(command().create(Shop.ORDER, 65_536), "cuds[0]", "id 65536");
    assertRefused(command().create(Shop.CUSTOMER, Shop.FIRST_OW), "cuds[0]", "register");
    assertRefused(command().update(Shop.ORDER, 0), "cuds[0]", "id 0");
  }

  @Test
  void update_ofAMissingRecord_isRefused() {
    assertRefused(command().update(Shop.ORDER, Shop.FIRST_OW + 99), "cuds[0]", "no record");
    assertRefused(command().update(Shop.ORDER, 3), "cuds[0]", "raw id 3");
    assertRefused(
        command().update(Shop.ORDER, 3).create(Shop.ORDER, 3), "cuds[0]", "created before");
  }

  @Test
  @Tag("P-6")
  void update_underAnotherType_isRefused() {
    long id = execute(command().create(Shop.ORDER, 1)).newId(1);
    assertRefused(command().update(RecordType.wdoc("Other"), id), "cuds[0]", "Order");
    assertRefused(
        command().create(Shop.ORDER, 1).update(RecordType.wrecord("Other"), 1), "cuds[1]", "Order");
  }

  @Test
  @Tag("P-6")
  void explicitId_ofAStoredRecord_isRefused() {
    long id = execute(command().create(Shop.ORDER, 1)).newId(1);
    assertRefused(command().create(RecordType.wdoc("Other"), id), "cuds[0]", "taken", "Order");
    assertRefused(command().create(Shop.ORDER, id), "cuds[0]", "taken");
  }

  @Test
  void explicitId_twiceInACommand_isRefused_alsoAtLevel2() {
    partitions =
        new AppPartitions(
            storage, PipelineConfig.builder(Shop.SEQUENCES).trustLevel(TrustLevel.LEVEL_2).build());
    long id = Shop.FIRST_OW + 1000;
    assertThatThrownBy(() -> execute(command().create(Shop.ORDER, id).create(Shop.ORDER, id)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("twice");
    assertThatThrownBy(() -> execute(command().update(Shop.ORDER, id).create(Shop.ORDER, id)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("before it is created");
    assertThat(storage.reader(0).logEnd()).isZero();
    assertThat(execute(command().create(Shop.ORDER, 1)).newId(1)).isEqualTo(Shop.FIRST_OW);
  }

  @Test
  void event_largerThanTheStorageTakes_isRefused() {
    assertRefused(command().create(Shop.ORDER, 1, "what", "x".repeat(4000)), "4000", "bytes");
  }

  @Test
  void draw_fromAnUnknownSequence_isRefused_andNothingIsLost() {
    execute(command());
    assertThatThrownBy(() -> execute(command().create(Shop.ORDER, 1, "n", Draw.of(300))))
        .isInstanceOf(UnknownSequenceException.class);
    assertThat(execute(command().create(Shop.ORDER, 1)).newId(1)).isEqualTo(Shop.FIRST_OW);
  }

  @Test
  void exhaustedSequence_isRefused_andNothingIsLost() {
    SequenceTypes two =
        SequenceTypes.builder()
            .platform(Shop.KIND)
            .sequence(Shop.KIND, 256, SequenceDefinition.named("two").max(2L).build())
            .build();
    partitions = new AppPartitions(storage, PipelineConfig.of(two));
    Command.Builder drawing = command().create(Shop.ORDER, 1, "n", Draw.of(256));
    assertThat(execute(drawing).drawn(256)).isEqualTo(1);
    assertThat(execute(drawing).drawn(256)).isEqualTo(2);
    assertThatThrownBy(() -> execute(drawing)).isInstanceOf(SequenceExhaustedException.class);
    assertThat(execute(command().create(Shop.ORDER, 1)).newId(1)).isEqualTo(Shop.FIRST_OW + 2);
  }

  @Test
  void workspace_ofAnotherPartition_orAnotherKind_isRefused() {
    execute(command());
    assertThatThrownBy(() -> partitions.processorFor(7).execute(Command.named("x", 2, 7).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2");
    AppPartitions four =
        new AppPartitions(store.open("four", Layout.of(4)), PipelineConfig.of(Shop.SEQUENCES));
    four.deploy(1);
    assertThatThrownBy(() -> four.processor(1).execute(command().build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("partition 3");
    assertThatThrownBy(() -> four.processorFor(7)).isInstanceOf(IllegalStateException.class);
    four.close();
  }

  @Test
  void fields_thatCannotBe_areRefused_namingThem() {
    assertThatThrownBy(() -> Fields.of("a", 1, "a", 2)).hasMessageContaining("field a");
    assertThatThrownBy(() -> Fields.of("a")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Fields.of(" ", 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Fields.of("a", Map.of())).hasMessageContaining("field a");
    assertThatThrownBy(() -> Draw.of(2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Ref.to(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Cud.create(Shop.LINES, 1)).hasMessageContaining("argument");
    assertThatThrownBy(() -> ArgumentObject.of(Shop.ORDER, 1)).hasMessageContaining("ODoc");
  }

  @Test
  @Tag("P-3")
  void explicitIds_areObserved_beforeIdsAreDrawn() {
    long explicit = Shop.FIRST_OW + 10;
    CommandReply reply = execute(command().create(Shop.ORDER, 1).create(Shop.ORDER, explicit));
    assertThat(reply.newIds()).containsExactly(Map.entry(1L, explicit + 1));
    assertThat(execute(command().create(Shop.ORDER, 1)).newId(1)).isEqualTo(explicit + 2);
  }

  @Test
  @Tag("P-3")
  void newAndUpdate_ofOneRecord_becomeOneNewRecord() {
    CommandReply reply =
        execute(
            command()
                .create(Shop.ORDER, 1, "what", "tea")
                .update(Shop.ORDER, 1, "what", "coffee")
                .create(Shop.CUSTOMER, 65_536, "name", "the only one")
                .update(Shop.CUSTOMER, 65_536, "name", "she"));
    Event event = Applied.log(partitions, 0).get(0);
    assertThat(event.content().cuds())
        .containsExactly(
            Cud.create(Shop.ORDER, reply.newId(1), "what", "coffee"),
            Cud.create(Shop.CUSTOMER, 65_536, "name", "she"));
    execute(command().update(Shop.CUSTOMER, 65_536, "name", "her"));
    assertThat(partitions.readRecord(7, 65_536))
        .isEqualTo(new StoredRecord(Shop.CUSTOMER, Fields.of("name", "her")));
  }
}
