package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tidemark.api.BusyException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.Refusal;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.TrustLevel;
import io.tidemark.spi.IAppStorage;
import io.tidemark.storage.memory.MemoryStore;
import io.tidemark.storage.memory.Outcome;
import io.tidemark.storage.memory.StorageCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every write of the pipeline goes wrong in every way, at every level. */
@Tag("P-8")
@Tag("P-9")
@Tag("I21")
final class FailuresTest {
  private static final Outcome[] OUTCOMES = {
    Outcome.REFUSED,
    Outcome.UNKNOWN_APPLIED,
    Outcome.UNKNOWN_LOST,
    Outcome.UNKNOWN_LATER,
    Outcome.DUPLICATED
  };

  static Stream<Arguments> failures() {
    List<Arguments> all = new ArrayList<>();
    for (TrustLevel level : TrustLevel.values()) {
      for (Outcome outcome : OUTCOMES) {
        all.add(arguments(level, true, StorageCall.COMMIT, outcome));
        all.add(arguments(level, false, StorageCall.APPEND, outcome));
        all.add(arguments(level, false, StorageCall.PUT_RECORDS, outcome));
        all.add(arguments(level, false, StorageCall.APPEND_WLOG, outcome));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("failures")
  void write_thatGoesWrong_isAnsweredTruthfully_andHealed(
      TrustLevel level, boolean atomic, StorageCall call, Outcome outcome) {
    MemoryStore store = new MemoryStore();
    IAppStorage storage = Server.open(store, atomic);
    Server server = Server.start(storage, level);
    long before = server.order(1, "tea").plogOffset();
    List<CompletableFuture<CommandReply>> group = new ArrayList<>();
    store.outcomes().script(call, outcome);
    for (long wsid = 1; wsid <= 3; wsid++) {
      group.add(server.processor().submit(Shop.order(wsid, "coffee")));
    }
    server.steps.pass(Duration.ofSeconds(2));

    boolean writes = call == StorageCall.COMMIT || call == StorageCall.APPEND;
    boolean lost =
        outcome == Outcome.REFUSED
            || outcome == Outcome.UNKNOWN_LOST
            || outcome == Outcome.UNKNOWN_LATER;
    if (writes && lost) {
      assertThat(group)
          .allSatisfy(
              reply ->
                  assertThat(reply)
                      .failsWithin(Duration.ZERO)
                      .withThrowableThat()
                      .withCauseInstanceOf(StorageUnavailableException.class));
      assertThat(storage.reader(0).logEnd()).isEqualTo(before);
    } else {
      assertThat(group.stream().map(reply -> reply.join().plogOffset()))
          .containsExactly(before + 1, before + 2, before + 3);
    }
    assertHealed(store, storage, server);
  }

  private static void assertHealed(MemoryStore store, IAppStorage storage, Server server) {
    long end = storage.reader(0).logEnd();
    assertThat(server.order(2, "water").plogOffset()).isEqualTo(end + 1);
    Applied.assertExactlyOnce(storage.reader(0));
    store.deliverLate();
    Applied.assertExactlyOnce(storage.reader(0));
    assertThat(server.order(3, "water").plogOffset()).isEqualTo(end + 2);
    Applied.assertExactlyOnce(storage.reader(0));
  }

  @Test
  @Tag("P-12")
  @Tag("P-13")
  void failingProjector_isTriedAgain_andThePartitionIsBusy() {
    for (boolean atomic : new boolean[] {true, false}) {
      List<Long> seen = new ArrayList<>();
      int[] failures = {3};
      IAppStorage storage = Server.open(new MemoryStore(), atomic);
      Server server =
          Server.start(
              storage,
              config ->
                  config.projectors(
                      event -> {
                        if (event.plogOffset() == 2 && failures[0]-- > 0) {
                          throw new IllegalStateException("not now");
                        }
                        seen.add(event.plogOffset());
                      }));
      server.order(1, "tea");
      CompletableFuture<CommandReply> failing = server.processor().submit(Shop.order(1, "coffee"));
      CompletableFuture<CommandReply> hasty =
          server
              .processor()
              .submit(Command.named("hasty", Shop.KIND, 2).patience(Duration.ZERO).build());
      CompletableFuture<CommandReply> next = server.processor().submit(Shop.order(1, "water"));
      server.steps.runReady();
      assertThat(failing).isNotDone();
      server.steps.pass(Duration.ofSeconds(3));

      assertThat(failing.join().plogOffset()).isEqualTo(2);
      assertThat(next.join().plogOffset()).isGreaterThan(2);
      assertThat(hasty).isDone();
      assertThat(seen).startsWith(1L).contains(2L, 3L).isSorted();
      Applied.assertExactlyOnce(storage.reader(0));
    }
  }

  @Test
  void takenOver_answersBusyFenced() {
    MemoryStore store = new MemoryStore();
    IAppStorage storage = Server.open(store, true);
    Server old = Server.start(storage);
    old.order(1, "tea");
    Server young = Server.start(Server.open(store, true));
    young.order(1, "coffee");
    CompletableFuture<CommandReply> late = old.processor().submit(Shop.order(1, "water"));
    old.steps.pass(Duration.ofSeconds(1));
    assertThat(late)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOfSatisfying(
            BusyException.class, busy -> assertThat(busy.reason()).isEqualTo(Refusal.FENCED));
    assertThat(storage.reader(0).logEnd()).isEqualTo(2);
    assertThat(old.partitions.redeploy(0).submit(Shop.order(1, "x"))).isNotDone();
  }

  @Test
  void storageThatStaysAway_answersUnknown_whenPatienceEnds() {
    MemoryStore store = new MemoryStore();
    Server server = Server.start(Server.open(store, true));
    server.order(1, "tea");
    store.outcomes().script(StorageCall.COMMIT, Outcome.UNKNOWN_APPLIED);
    store.outcomes().always(StorageCall.SETTLE, Outcome.REFUSED);
    CompletableFuture<CommandReply> reply = server.processor().submit(Shop.order(1, "coffee"));
    CompletableFuture<CommandReply> waiting = server.processor().submit(Shop.order(2, "coffee"));
    server.steps.pass(Duration.ofSeconds(20));
    assertThat(reply)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(OutcomeUnknownException.class);
    assertThat(waiting).isDone();
    store.outcomes().clear();
    assertThat(server.order(1, "water").plogOffset()).isGreaterThanOrEqualTo(3);
    Applied.assertExactlyOnce(server.storage.reader(0));
  }
}
