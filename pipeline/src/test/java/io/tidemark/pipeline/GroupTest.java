package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.CommitGroup;
import io.tidemark.spi.GroupLimit;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.storage.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("P-7")
final class GroupTest {
  private final List<CompletableFuture<CommandReply>> replies = new ArrayList<>();

  private void submit(Server server, long... wsids) {
    for (long wsid : wsids) {
      replies.add(server.processor().submit(Shop.order(wsid, "tea")));
    }
  }

  private static List<Long> groups(IAppStorage storage) {
    List<Long> firsts = new ArrayList<>();
    storage.reader(0).readPLog(1, (PLogEvent event) -> firsts.add(event.header().groupFirst()));
    return firsts;
  }

  private static List<Long> workspaces(IAppStorage storage) {
    List<Long> wsids = new ArrayList<>();
    storage.reader(0).readPLog(1, (PLogEvent event) -> wsids.add(event.header().wsid()));
    return wsids;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void waitingCommands_areWrittenTogether_oneOfEachWorkspace(boolean atomic) {
    IAppStorage storage = Server.open(new MemoryStore(), atomic);
    Server server = Server.start(storage);
    submit(server, 1, 1, 2, 3, 2, 1);
    server.steps.runReady();

    assertThat(groups(storage)).containsExactly(1L, 1L, 1L, 4L, 4L, 6L);
    assertThat(workspaces(storage)).containsExactly(1L, 2L, 3L, 1L, 2L, 1L);
    assertThat(replies.stream().map(reply -> reply.join().plogOffset()))
        .containsExactly(1L, 4L, 2L, 3L, 5L, 6L);
    assertThat(replies.stream().map(reply -> reply.join().drawn(Shop.INVOICE)))
        .containsExactly(1L, 2L, 1L, 1L, 2L, 3L);
    Applied.assertExactlyOnce(storage.reader(0));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void loneCommand_isAGroupOfItsOwn(boolean atomic) {
    IAppStorage storage = Server.open(new MemoryStore(), atomic);
    Server server = Server.start(storage);
    server.order(1, "tea");
    server.order(2, "tea");
    assertThat(groups(storage)).containsExactly(1L, 2L);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void badCommand_inTheMiddleOfAGroup_leavesNoHole(boolean atomic) {
    IAppStorage storage = Server.open(new MemoryStore(), atomic);
    Server server = Server.start(storage);
    submit(server, 1);
    CompletableFuture<CommandReply> bad =
        server
            .processor()
            .submit(
                Command.named("bad", Shop.KIND, 2).create(Shop.ORDER, 1, "to", Ref.to(2)).build());
    submit(server, 3);
    server.steps.runReady();

    assertThatThrownBy(bad::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IllegalArgumentException.class);
    assertThat(groups(storage)).containsExactly(1L, 1L);
    assertThat(replies).allSatisfy(reply -> assertThat(reply).isCompleted());
    assertThat(server.order(2, "tea").newId(1)).isEqualTo(Shop.FIRST_OW);
    Applied.assertExactlyOnce(storage.reader(0));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void group_isCutAtTheStoragesLimits(boolean atomic) {
    MemoryStore store = MemoryStore.builder().groupLimit(new GroupLimit(2, 1 << 20)).build();
    IAppStorage storage = Server.open(store, atomic);
    submit(Server.start(storage), 1, 2, 3, 4, 5);
    Server server = Server.start(storage);
    submit(server, 6, 7, 8);
    server.steps.runReady();
    assertThat(groups(storage)).containsExactly(1L, 1L, 3L);

    MemoryStore narrow = MemoryStore.builder().groupLimit(new GroupLimit(100, 600)).build();
    IAppStorage few = Server.open(narrow, atomic);
    Server other = Server.start(few);
    submit(other, 1, 2, 3, 4, 5);
    other.steps.runReady();
    assertThat(groups(few)).containsExactly(1L, 1L, 1L, 4L, 4L);
    Applied.assertExactlyOnce(few.reader(0));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void group_thatTheStorageRefusesAsTooLarge_isMadeSmaller(boolean atomic) {
    IAppStorage storage = Server.open(new MemoryStore(), atomic);
    int[] most = {2};
    Server server = Server.start(Hooked.storage(storage, refusingMoreThan(most)));
    submit(server, 1, 2, 3, 4, 5);
    server.steps.pass(Duration.ofSeconds(1));
    assertThat(replies)
        .allSatisfy(
            reply ->
                assertThatThrownBy(reply::join)
                    .hasCauseInstanceOf(StorageUnavailableException.class)
                    .hasMessageContaining("too large"));
    replies.clear();
    submit(server, 1, 2, 3, 4, 5);
    server.steps.pass(Duration.ofSeconds(1));
    assertThat(replies).allSatisfy(reply -> assertThat(reply).isCompleted());
    assertThat(groups(storage)).containsExactly(1L, 1L, 3L, 3L, 5L);

    most[0] = 0;
    submit(server, 6);
    server.steps.runReady();
    assertThatThrownBy(replies.get(5)::join).hasCauseInstanceOf(IllegalArgumentException.class);
    most[0] = 1000;
    for (int i = 0; i < 256; i++) {
      assertThat(server.order(6, "tea").plogOffset()).isEqualTo(6 + i);
    }
    submit(server, 1, 2, 3, 4, 5);
    server.steps.pass(Duration.ofSeconds(1));
    assertThat(groups(storage)).endsWith(262L, 262L, 262L, 262L, 266L);
    Applied.assertExactlyOnce(storage.reader(0));
  }

  private static Hooked refusingMoreThan(int[] most) {
    return (method, arguments) -> {
      int size = 0;
      if (arguments.length > 0 && arguments[0] instanceof CommitGroup group) {
        size = group.events().size();
      } else if (method.equals("append") && arguments[0] instanceof List<?> events) {
        size = events.size();
      }
      if (size > most[0]) {
        throw new IllegalArgumentException("a transaction takes %d events".formatted(most[0]));
      }
    };
  }
}
