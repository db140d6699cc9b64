package io.tidemark.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.api.BusyException;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.TrustLevel;
import io.tidemark.pipeline.AppPartitions;
import io.tidemark.pipeline.Command;
import io.tidemark.pipeline.CommandReply;
import io.tidemark.pipeline.Event;
import io.tidemark.pipeline.Fields;
import io.tidemark.pipeline.PipelineConfig;
import io.tidemark.pipeline.RecordType;
import io.tidemark.pipeline.StoredRecord;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * The real pipeline over the storage: the source documents' SequencesTrustLevel0, 1 and 2, and that
 * what it stored is what its log says.
 */
interface PipelineRules extends StorageHarness {

  /** The workspaces' kind. */
  int PIPELINE_KIND = 1;

  /** What the commands create. */
  RecordType PIPELINE_ORDER = RecordType.wdoc("Order");

  @Rule({"I12", "T-2", "P-11"})
  @NeedsRawAccess
  @Example
  default void sequencesTrustLevel0_foreignRows_areViolations() {
    violates(TrustLevel.LEVEL_0, "record");
    violates(TrustLevel.LEVEL_0, "PLog");
    violates(TrustLevel.LEVEL_0, "WLog");
  }

  @Rule({"I12", "T-2", "P-11"})
  @NeedsRawAccess
  @Example
  default void sequencesTrustLevel1_foreignEvents_areViolations_aForeignRecordIsOverwritten() {
    overwrites(TrustLevel.LEVEL_1, "record");
    violates(TrustLevel.LEVEL_1, "PLog");
    violates(TrustLevel.LEVEL_1, "WLog");
  }

  @Rule({"I12", "T-2"})
  @NeedsRawAccess
  @Example
  default void sequencesTrustLevel2_foreignRows_areOverwritten() {
    overwrites(TrustLevel.LEVEL_2, "record");
    overwrites(TrustLevel.LEVEL_2, "PLog");
    overwrites(TrustLevel.LEVEL_2, "WLog");
  }

  @Rule({"I21", "P-7"})
  @Property(tries = 3)
  default void pipeline_commandsInGroups_storesWhatItsLogSays(
      @ForAll @IntRange(min = 1, max = 20) int commands) {
    Scene scene = Scene.of(this);
    try (AppPartitions partitions = deploy(scene)) {
      List<CompletableFuture<CommandReply>> replies = new ArrayList<>();
      for (int i = 0; i < commands; i++) {
        replies.add(
            partitions
                .processor(scene.partition())
                .submit(order(scene.workspace(i % 5), "order " + i)));
      }
      for (int i = 0; i < commands; i++) {
        CommandReply reply = replies.get(i).join();
        assertThat(partitions.readRecord(scene.workspace(i % 5), reply.newId(1)))
            .as("the record of command %d", i)
            .isEqualTo(new StoredRecord(PIPELINE_ORDER, Fields.of("what", "order " + i)));
      }
      List<Event> log = new ArrayList<>();
      partitions.readPLog(scene.partition(), 1, log::add);
      assertThat(log).as("events in the log").hasSize(commands);
      for (int ws = 0; ws < 5; ws++) {
        long wsid = scene.workspace(ws);
        List<Event> wlog = new ArrayList<>();
        partitions.readWLog(wsid, 1, wlog::add);
        assertThat(wlog)
            .as("the log of workspace %d", ws)
            .isEqualTo(log.stream().filter(event -> event.wsid() == wsid).toList());
      }
    }
  }

  private static Command order(long wsid, String what) {
    return Command.named("order", PIPELINE_KIND, wsid)
        .create(PIPELINE_ORDER, 1, "what", what)
        .patience(Duration.ofSeconds(60))
        .build();
  }

  private static AppPartitions deploy(Scene scene) {
    SequenceTypes sequences = SequenceTypes.builder().platform(PIPELINE_KIND).build();
    AppPartitions partitions =
        new AppPartitions(
            scene.app(),
            PipelineConfig.builder(sequences)
                .trustLevel(scene.level())
                .patience(Duration.ofSeconds(60))
                .build());
    partitions.deploy(scene.partition());
    return partitions;
  }

  /** Runs a command and plants a foreign row where the next one will write. */
  private CommandReply runAndPlant(Scene scene, AppPartitions partitions, String place) {
    long wsid = scene.workspace(0);
    CommandReply reply = partitions.processorFor(wsid).execute(order(wsid, "first"));
    byte[] one = {1};
    switch (place) {
      case "record" -> scene.plantRecord(new RecordRow(wsid, reply.newId(1) + 1, 0, false, one));
      case "PLog" -> scene.plantPLog(reply.plogOffset() + 1, one);
      default -> scene.plantWLog(new WLogRow(wsid, reply.wlogOffset() + 1, 0, one));
    }
    return reply;
  }

  private void violates(TrustLevel level, String place) {
    Scene scene = Scene.of(this, level);
    long wsid = scene.workspace(0);
    try (AppPartitions partitions = deploy(scene)) {
      runAndPlant(scene, partitions, place);
      SequenceViolationException violation =
          catchThrowableOfType(
              SequenceViolationException.class,
              () -> partitions.processorFor(wsid).execute(order(wsid, "second")));
      assertThat(violation)
          .as("%s: the command that meets a foreign %s row", level, place)
          .isNotNull();
      assertThat(violation.key()).as("the key the violation names").contains(place);
      BusyException busy =
          catchThrowableOfType(
              BusyException.class,
              () -> partitions.processorFor(wsid).execute(order(wsid, "third")));
      assertThat(busy).as("%s: the command after a violation", level).isNotNull();
      assertThat(busy.reason()).isEqualTo(Refusal.FAILED);
    }
    PartitionFailure failure = scene.reader().info().failure();
    assertThat(failure == null ? "" : failure.key())
        .as("the key of the failure on the meta row")
        .contains(place);
    try (AppPartitions again = deploy(scene)) {
      BusyException busy =
          catchThrowableOfType(
              BusyException.class, () -> again.processorFor(wsid).execute(order(wsid, "fourth")));
      assertThat(busy).as("%s: a command after a restart", level).isNotNull();
      assertThat(busy.reason()).isEqualTo(Refusal.FAILED);
    }
  }

  private void overwrites(TrustLevel level, String place) {
    Scene scene = Scene.of(this, level);
    long wsid = scene.workspace(0);
    try (AppPartitions partitions = deploy(scene)) {
      CommandReply first = runAndPlant(scene, partitions, place);
      CommandReply second = partitions.processorFor(wsid).execute(order(wsid, "second"));
      assertThat(second.plogOffset()).isEqualTo(first.plogOffset() + 1);
      assertThat(partitions.readRecord(wsid, second.newId(1)))
          .as("%s: the record over the foreign one", level)
          .isEqualTo(new StoredRecord(PIPELINE_ORDER, Fields.of("what", "second")));
      List<Event> log = new ArrayList<>();
      partitions.readPLog(scene.partition(), 1, log::add);
      List<Event> wlog = new ArrayList<>();
      partitions.readWLog(wsid, 1, wlog::add);
      assertThat(log).as("%s: both events in the log", level).hasSize(2);
      assertThat(wlog).as("%s: both events in the workspace's log", level).isEqualTo(log);
    }
  }
}
