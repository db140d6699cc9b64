package io.tidemark.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.TrustLevel;
import io.tidemark.api.WriteMode;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionReader;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.spi.StorageCapability;
import io.tidemark.storage.memory.MemoryStore;
import io.tidemark.storage.memory.Outcome;
import io.tidemark.storage.memory.StorageCall;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process dies before or after each of its writes; the next owner finds everything in order. */
@Tag("P-9")
@Tag("P-10")
@Tag("P-13")
@Tag("I21")
final class CrashTest {
  private static final Set<String> WRITES = Set.of("append", "commit", "putRecords", "appendWLog");

  @ParameterizedTest
  @EnumSource(TrustLevel.class)
  void crash_betweenAnyTwoStages_isHealedByTheNextOwner(TrustLevel level) {
    for (boolean atomic : new boolean[] {true, false}) {
      for (boolean before : new boolean[] {true, false}) {
        for (int write = 1; write <= 8; write++) {
          crashAt(level, atomic, before, write);
        }
      }
    }
  }

  @Test
  void groupThatIsNotApplied_behindImportedFloors_isAppliedByTheNextOwner() {
    MemoryStore store = new MemoryStore();
    IAppStorage storage = Server.open(store, false);
    Server victim = Server.start(storage);
    victim.order(1, "tea");
    store.outcomes().always(StorageCall.PUT_RECORDS, Outcome.REFUSED);
    CompletableFuture<CommandReply> one = victim.processor().submit(Shop.order(1, "coffee"));
    CompletableFuture<CommandReply> two = victim.processor().submit(Shop.order(2, "coffee"));
    victim.steps.runReady();
    assertThat(List.of(one, two)).as("logged, not applied").noneMatch(CompletableFuture::isDone);
    store.outcomes().clear();
    IPartitionStorage importing = storage.claim(0, "import");
    importing.append(List.of(floor(4, 4, 7), floor(5, 4, 8)), WriteMode.INSERT_IF_NOT_EXISTS);
    importing.append(List.of(floor(6, 6, 9)), WriteMode.INSERT_IF_NOT_EXISTS);

    Server next = Server.start(storage);
    next.steps.runReady();

    assertThat(storage.reader(0).readRecord(1, Shop.FIRST_OW + 1)).isNotNull();
    assertThat(storage.reader(0).readRecord(2, Shop.FIRST_OW)).isNotNull();
    Applied.assertExactlyOnce(storage.reader(0));
    assertThat(next.order(1, "water").plogOffset()).isEqualTo(7);
    assertThat(next.order(7, "water").drawn(Shop.INVOICE)).isEqualTo(101);
  }

  @Test
  void logOfNothingButFloors_isServed() {
    IAppStorage storage = Server.open(new MemoryStore(), false);
    storage.claim(0, "import").append(List.of(floor(1, 1, 7)), WriteMode.INSERT_IF_NOT_EXISTS);
    assertThat(Server.start(storage).order(7, "water").drawn(Shop.INVOICE)).isEqualTo(101);
  }

  private static PLogEvent floor(long offset, long groupFirst, long wsid) {
    EventHeader header =
        new EventHeader(
            UUID.randomUUID(),
            groupFirst,
            wsid,
            Shop.KIND,
            0,
            false,
            List.of(new SequenceTouch(Shop.INVOICE, 0, 100, true)));
    return new PLogEvent(offset, header, new byte[0]);
  }

  private static void crashAt(TrustLevel level, boolean atomic, boolean before, int write) {
    MemoryStore store = new MemoryStore();
    Set<Long> projected = new HashSet<>();
    Dying dying = new Dying(Server.open(store, atomic), before, write);
    Server victim =
        Server.start(
            dying,
            config ->
                config.trustLevel(level).projectors(event -> projected.add(event.plogOffset())));
    List<CompletableFuture<CommandReply>> replies = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (long wsid = 0; wsid < 3; wsid++) {
        replies.add(victim.processor().submit(Shop.order(wsid, "tea")));
      }
      try {
        victim.steps.runReady();
      } catch (Dying.Death expected) {
        break;
      }
    }
    IAppStorage storage = Server.open(store, atomic);
    Server next =
        Server.start(
            storage,
            config ->
                config.trustLevel(level).projectors(event -> projected.add(event.plogOffset())));
    next.steps.runReady();
    Applied.assertExactlyOnce(storage.reader(0));
    long end = storage.reader(0).logEnd();
    CommandReply after = next.order(0, "coffee");
    assertThat(after.plogOffset()).isEqualTo(end + 1);
    Applied.assertExactlyOnce(storage.reader(0));
    assertThat(projected).as("write %d", write).hasSize((int) end + 1);
    replies.stream()
        .filter(reply -> reply.isDone() && !reply.isCompletedExceptionally())
        .forEach(reply -> assertThat(reply.join().plogOffset()).isLessThanOrEqualTo(end));
  }

  /** A connection whose process dies at one of its writes: from then on nothing gets through. */
  private static final class Dying implements IAppStorage {
    private final IAppStorage storage;
    private final boolean before;
    private int left;

    Dying(IAppStorage storage, boolean before, int write) {
      this.storage = storage;
      this.before = before;
      this.left = write;
    }

    private static final class Death extends Error {
      private static final long serialVersionUID = 1L;
    }

    @Override
    public IPartitionStorage claim(int partition, String owner) {
      IPartitionStorage real = storage.claim(partition, owner);
      return (IPartitionStorage)
          Proxy.newProxyInstance(
              CrashTest.class.getClassLoader(),
              new Class<?>[] {IPartitionStorage.class},
              (proxy, method, arguments) -> {
                boolean last = WRITES.contains(method.getName()) && --left == 0;
                if (left < 0 || (last && before)) {
                  left = -1;
                  throw new Death();
                }
                try {
                  Object answer = method.invoke(real, arguments);
                  if (last) {
                    left = -1;
                    throw new Death();
                  }
                  return answer;
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    @Override
    public String application() {
      return storage.application();
    }

    @Override
    public Layout layout() {
      return storage.layout();
    }

    @Override
    public Set<StorageCapability> capabilities() {
      return storage.capabilities();
    }

    @Override
    public IPartitionReader reader(int partition) {
      return storage.reader(partition);
    }

    @Override
    public ISequenceStorage<?> sequences(String owner) {
      return storage.sequences(owner);
    }

    @Override
    public void close() {
      storage.close();
    }
  }
}
