package io.tidemark.pipeline;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.SequencerState;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.PartitionFailure;
import io.tidemark.spi.RecordRow;
import io.tidemark.storage.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever a storage throws, and wherever, every command gets an answer. */
@Tag("P-8")
final class UnansweredTest {
  private final IAppStorage memory = Server.open(new MemoryStore(), false);

  private static List<CompletableFuture<CommandReply>> submit(Server server, String... orders) {
    return IntStream.range(0, orders.length)
        .mapToObj(i -> server.processor().submit(Shop.order(i + 1, orders[i])))
        .toList();
  }

  private static boolean holds(Object rows, String word) {
    return ((List<?>) rows)
        .stream().anyMatch(row -> new String(((RecordRow) row).data(), ISO_8859_1).contains(word));
  }

  @Test
  void start_thatThrows_isAnswered_andTheRestOfItsGroupIsWritten() {
    boolean[] broken = {true};
    IAppStorage storage =
        Hooked.storage(
            memory,
            (method, arguments) -> {
              if (broken[0] && method.equals("readNumbers") && arguments[0].equals(2L)) {
                throw new LinkageError("a class is missing");
              }
            });
    Server server = Server.start(storage);
    server.order(9, "warm");
    List<CompletableFuture<CommandReply>> group = submit(server, "tea", "coffee", "water");
    server.steps.pass(Duration.ofSeconds(2));

    assertThat(group.get(1))
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(LinkageError.class);
    assertThat(group.get(0).join().plogOffset()).isEqualTo(2);
    assertThat(group.get(2).join().plogOffset()).isEqualTo(3);
    broken[0] = false;
    assertThat(server.order(2, "coffee").plogOffset()).isEqualTo(4);
    Applied.assertExactlyOnce(memory.reader(0));
  }

  @Test
  @Tag("P-11")
  void rowThatTheStorageRefuses_endsAsFailed_namingItsKey_untilItsEventIsSkipped() {
    IAppStorage storage =
        Hooked.storage(
            memory,
            (method, arguments) -> {
              if (method.equals("putRecords") && holds(arguments[0], "poison")) {
                throw new IllegalArgumentException("data must have at most 5 bytes");
              }
            });
    Server server = Server.start(storage);
    server.order(9, "warm");
    List<CompletableFuture<CommandReply>> group = submit(server, "tea", "poison", "water");
    server.steps.pass(Duration.ofSeconds(2));

    assertThat(group)
        .allSatisfy(
            reply ->
                assertThat(reply)
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(OutcomeUnknownException.class)
                    .havingCause()
                    .withMessageContaining("in the log"));
    PartitionFailure failure = memory.reader(0).info().failure();
    assertThat(failure).isNotNull();
    assertThat(failure.key()).isEqualTo("record " + Shop.FIRST_OW + " of workspace 2");
    assertThat(failure.cause()).contains("at most 5 bytes");
    assertFailed(server);

    Server next = Server.start(storage);
    next.steps.runReady();
    assertFailed(next);
    assertThatThrownBy(() -> next.partitions.resolve(0, Resolution.RETRY))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("at most 5 bytes");
    next.partitions.resolve(0, Resolution.SKIP);
    assertThat(next.order(2, "coffee").plogOffset()).isEqualTo(5);
    assertThat(Applied.log(next.partitions, 0))
        .extracting(Event::corrupted)
        .containsExactly(false, false, true, false, false);
  }

  private static void assertFailed(Server server) {
    assertThat(server.partitions.status(0).sequencer().state()).isEqualTo(SequencerState.FAILED);
  }

  @Test
  @Tag("P-9")
  void rowThatIsRefused_onlyWhenReapplied_endsAsFailed() {
    boolean[] crashes = {true};
    IAppStorage storage =
        Hooked.storage(
            memory,
            (method, arguments) -> {
              if (method.equals("putRecords") && holds(arguments[0], "poison")) {
                if (crashes[0]) {
                  throw new IllegalStateException("not now");
                }
                throw new IllegalArgumentException("data must have at most 5 bytes");
              }
            });
    Server server = Server.start(storage);
    CompletableFuture<CommandReply> reply = server.processor().submit(Shop.order(1, "poison"));
    server.steps.runReady();
    assertThat(reply).isNotDone();
    crashes[0] = false;
    server.steps.pass(Duration.ofSeconds(2));
    assertThat(reply).isCompletedExceptionally();
    assertFailed(server);
    assertThat(memory.reader(0).info().failure())
        .isNotNull()
        .extracting(PartitionFailure::key)
        .isEqualTo("record " + Shop.FIRST_OW + " of workspace 1");
  }

  @Test
  void failureThatCannotBeNoted_isDecidedByRecovery() {
    boolean[] broken = {true};
    MemoryStore store = new MemoryStore();
    IAppStorage storage =
        Hooked.storage(
            Server.open(store, true),
            (method, arguments) -> {
              if (broken[0] && method.equals("storeFailure")) {
                broken[0] = false;
                throw new LinkageError("a class is missing");
              }
            });
    Server server = Server.start(storage);
    CommandReply first = server.order(1, "tea");
    store.plantRecord("shop", 1, first.newId(1) + 1, new byte[] {1});
    CompletableFuture<CommandReply> reply = server.processor().submit(Shop.order(1, "coffee"));
    server.steps.pass(Duration.ofSeconds(2));
    assertThat(reply).isCompletedExceptionally();
    assertFailed(server);
    assertThat(storage.reader(0).info().failure()).isNotNull();
  }

  @Test
  void rowsThatAreRefused_onlyTogether_areWrittenOneByOne() {
    IAppStorage storage =
        Hooked.storage(
            memory,
            (method, arguments) -> {
              boolean writes = method.equals("putRecords") || method.equals("appendWLog");
              if (writes && ((List<?>) arguments[0]).size() > 1) {
                throw new IllegalArgumentException("at most 1 row at a time");
              }
            });
    Server server = Server.start(storage);
    server.order(9, "warm");
    List<CompletableFuture<CommandReply>> group = submit(server, "tea", "coffee", "water");
    server.steps.pass(Duration.ofSeconds(2));
    assertThat(group.stream().map(reply -> reply.join().plogOffset())).containsExactly(2L, 3L, 4L);
    Applied.assertExactlyOnce(memory.reader(0));
  }
}
