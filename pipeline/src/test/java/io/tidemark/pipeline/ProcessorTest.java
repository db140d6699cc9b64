package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.BusyException;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import io.tidemark.storage.memory.Outcome;
import io.tidemark.storage.memory.StorageCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("P-4")
final class ProcessorTest {
  private final MemoryStore store = new MemoryStore();
  private final IAppStorage storage = Server.open(store, true);

  private static void assertBusy(CompletableFuture<CommandReply> reply, Refusal reason) {
    assertThat(reply)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOfSatisfying(
            BusyException.class,
            busy -> {
              assertThat(busy.reason()).isEqualTo(reason);
              assertThat(busy).hasMessageContaining("server is busy");
            });
  }

  private static Command hasty(long wsid) {
    return Command.named("hasty", Shop.KIND, wsid).patience(Duration.ZERO).build();
  }

  @Test
  void fullQueue_isBusy() {
    Server server = Server.start(storage, config -> config.queueLimit(2));
    CompletableFuture<CommandReply> one = server.processor().submit(Shop.order(1, "tea"));
    CompletableFuture<CommandReply> two = server.processor().submit(Shop.order(1, "tea"));
    CompletableFuture<CommandReply> three = server.processor().submit(Shop.order(2, "tea"));
    assertBusy(three, Refusal.QUEUE_FULL);
    assertThat(server.partitions.status(0).queued()).isEqualTo(2);
    server.steps.runReady();
    assertThat(one.join().plogOffset()).isEqualTo(1);
    assertThat(two.join().plogOffset()).isEqualTo(2);
  }

  @Test
  void commandWithoutPatience_whileTheTailIsRead_isBusy_othersWait() {
    store.outcomes().always(StorageCall.READ_SEQ_DATA, Outcome.REFUSED);
    Server server = Server.start(storage);
    CompletableFuture<CommandReply> patient = server.processor().submit(Shop.order(1, "tea"));
    CompletableFuture<CommandReply> hasty = server.processor().submit(hasty(2));
    server.steps.pass(Duration.ofSeconds(1));
    assertBusy(hasty, Refusal.ACTUALIZING);
    assertThat(patient).isNotDone();
    store.outcomes().clear();
    server.steps.pass(Duration.ofSeconds(1));
    assertThat(patient.join().plogOffset()).isEqualTo(1);
  }

  @Test
  void patience_thatEnds_isBusyWithTheReason() {
    store.outcomes().always(StorageCall.READ_SEQ_DATA, Outcome.REFUSED);
    Server server = Server.start(storage);
    CompletableFuture<CommandReply> first = server.processor().submit(Shop.order(1, "tea"));
    CompletableFuture<CommandReply> second = server.processor().submit(Shop.order(1, "tea"));
    server.steps.pass(Duration.ofSeconds(6));
    assertBusy(first, Refusal.ACTUALIZING);
    assertThat(second).isDone();
    store.outcomes().clear();
    assertThat(server.order(1, "tea").plogOffset()).isEqualTo(1);
  }

  @Test
  void numbersThatCannotBeFlushed_makeCommandsWait_thenBusy() {
    Server server = Server.start(storage);
    server.order(1, "tea");
    store.outcomes().always(StorageCall.WRITE_SEQ_DATA, Outcome.REFUSED);
    List<CompletableFuture<CommandReply>> replies = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      replies.add(server.processor().submit(Shop.order(i, "tea")));
    }
    server.steps.pass(Duration.ofSeconds(7));
    assertThat(replies.get(0).join().plogOffset()).isEqualTo(2);
    assertBusy(replies.get(399), Refusal.BACKPRESSURE);
    store.outcomes().clear();
    server.steps.pass(Duration.ofSeconds(2));
    assertThat(server.order(1, "tea").plogOffset()).isGreaterThan(2);
    Applied.assertExactlyOnce(storage.reader(0));
  }

  @Test
  void withdrawnCommand_isNotWritten() {
    Server server = Server.start(storage);
    CompletableFuture<CommandReply> withdrawn = server.processor().submit(Shop.order(1, "tea"));
    CompletableFuture<CommandReply> next = server.processor().submit(Shop.order(1, "coffee"));
    withdrawn.cancel(false);
    server.steps.runReady();
    assertThat(next.join().plogOffset()).isEqualTo(1);
    assertThat(storage.reader(0).logEnd()).isEqualTo(1);
  }

  @Test
  void undeploy_refusesWhatWaits() {
    Server server = Server.start(storage);
    CommandProcessor processor = server.processor();
    CompletableFuture<CommandReply> waiting = processor.submit(Shop.order(1, "tea"));
    server.partitions.undeploy(0, Duration.ofSeconds(1));
    assertThat(waiting).isDone();
    assertBusy(processor.submit(Shop.order(1, "tea")), Refusal.CLOSED);
    assertThatThrownBy(() -> server.partitions.processor(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not deployed");
    assertThat(server.partitions.partitions()).isEmpty();
  }

  @Test
  void close_whileACommandIsWritten_refusesTheOneBehindIt() {
    CommandProcessor[] itself = new CommandProcessor[1];
    Server server =
        Server.start(
            storage,
            config ->
                config.projectors(
                    event -> {
                      itself[0].close(Duration.ZERO);
                      store.outcomes().always(StorageCall.SETTLE, Outcome.REFUSED);
                      throw new IllegalStateException("not now");
                    }));
    itself[0] = server.processor();
    server.steps.runReady();
    CompletableFuture<CommandReply> written = server.processor().submit(Shop.order(1, "tea"));
    CompletableFuture<CommandReply> behind = server.processor().submit(Shop.order(1, "coffee"));
    server.steps.runReady();
    assertThat(written).isNotDone();
    assertBusy(behind, Refusal.CLOSED);
  }

  @Test
  void patience_ofACommandBehindAnother_ends() {
    store.outcomes().always(StorageCall.READ_SEQ_DATA, Outcome.REFUSED);
    Server server = Server.start(storage);
    CommandProcessor processor = server.processor();
    CompletableFuture<CommandReply> first = processor.submit(Shop.order(1, "tea"));
    CompletableFuture<CommandReply> hasty = processor.submit(hasty(1));
    CompletableFuture<CommandReply> third = processor.submit(Shop.order(1, "coffee"));
    CompletableFuture<CommandReply> last =
        processor.submit(
            Command.named("last", Shop.KIND, 1).patience(Duration.ofSeconds(2)).build());
    server.steps.runReady();
    assertBusy(hasty, Refusal.ACTUALIZING);
    assertThat(last).isNotDone();
    server.steps.pass(Duration.ofSeconds(2));
    assertBusy(last, Refusal.ACTUALIZING);
    assertThat(first).isNotDone();
    assertThat(processor.queued()).isEqualTo(2);
    CompletableFuture<CommandReply> fresh = processor.submit(Shop.order(1, "water"));
    store.outcomes().clear();
    server.steps.pass(Duration.ofSeconds(1));
    assertThat(first.join().plogOffset()).isEqualTo(1);
    assertThat(third.join().plogOffset()).isEqualTo(2);
    assertThat(fresh.join().plogOffset()).isEqualTo(3);
    assertThat(processor.queued()).isZero();
  }

  @Test
  void deploy_byTwoThreadsAtOnce_leavesTheOneThatOwnsThePartition() throws InterruptedException {
    AppPartitions[] itself = new AppPartitions[1];
    List<Throwable> refused = new CopyOnWriteArrayList<>();
    Thread other =
        new Thread(
            () -> {
              try {
                itself[0].deploy(0);
              } catch (IllegalStateException e) {
                refused.add(e);
              }
            });
    IAppStorage racing =
        Hooked.storage(
            storage,
            (method, arguments) -> {
              if (method.equals("claim") && other.getState() == Thread.State.NEW) {
                other.start();
                while (other.getState() != Thread.State.WAITING
                    && other.getState() != Thread.State.TERMINATED) {
                  Thread.onSpinWait();
                }
              }
            });
    Steps steps = new Steps();
    itself[0] =
        new AppPartitions(
            racing, PipelineConfig.builder(Shop.SEQUENCES).environment(steps).build());
    CommandProcessor processor = itself[0].deploy(0);
    other.join();
    assertThat(refused).singleElement().asString().contains("already");
    assertThat(itself[0].processor(0)).isSameAs(processor);
    assertThat(processor.execute(Shop.order(1, "tea")).plogOffset()).isEqualTo(1);
  }

  @Test
  void error_whileAnEventIsBuilt_isItsCommandsAnswer_andTheNextOneRuns() {
    boolean[] armed = {true};
    IAppStorage failing =
        Hooked.storage(
            storage,
            (method, arguments) -> {
              if (method.equals("groupLimit") && armed[0]) {
                armed[0] = false;
                throw new AssertionError("on purpose");
              }
            });
    Server server = Server.start(failing);
    CompletableFuture<CommandReply> bad = server.processor().submit(Shop.order(1, "tea"));
    server.steps.runReady();
    assertThat(bad)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(AssertionError.class);
    assertThat(server.order(1, "tea").plogOffset()).isEqualTo(1);
  }

  @Test
  void execute_fromAProjector_isRefused_insteadOfWaitingForItself() {
    Server[] itself = new Server[1];
    List<String> told = new ArrayList<>();
    itself[0] =
        Server.start(
            storage,
            config ->
                config.projectors(
                    event -> {
                      try {
                        itself[0].order(2, "from within");
                      } catch (IllegalStateException e) {
                        told.add(String.valueOf(e.getMessage()));
                      }
                    }));
    itself[0].order(1, "tea");
    assertThat(told).singleElement().asString().contains("use submit");
  }

  @Test
  void configuration_thatCannotWork_isRefused_namingTheField() {
    assertThatThrownBy(() -> PipelineConfig.builder(Shop.SEQUENCES).queueLimit(0).build())
        .hasMessageContaining("queueLimit");
    assertThatThrownBy(
            () -> PipelineConfig.builder(Shop.SEQUENCES).patience(Duration.ofMillis(-1)).build())
        .hasMessageContaining("patience");
    SequenceTypes bare =
        SequenceTypes.builder().sequence(1, 256, Shop.SEQUENCES.kinds().get(1).get(256)).build();
    assertThatThrownBy(() -> PipelineConfig.of(bare)).hasMessageContaining("platform(1)");
    IAppStorage bound = store.open("bound", new Layout(1, 0, 0, TrustLevel.LEVEL_2));
    assertThatThrownBy(() -> new AppPartitions(bound, PipelineConfig.of(Shop.SEQUENCES)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("LEVEL_2");
    Server server = Server.start(storage);
    assertThatThrownBy(() -> server.partitions.deploy(0)).hasMessageContaining("already");
    assertThatThrownBy(() -> server.partitions.deploy(1)).hasMessageContaining("partition");
  }
}
