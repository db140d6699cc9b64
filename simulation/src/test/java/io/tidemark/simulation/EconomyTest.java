package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ISequencer;
import io.tidemark.api.Refusal;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SequencerStatus;
import io.tidemark.api.WriteMode;
import io.tidemark.core.CacheBudget;
import io.tidemark.core.SequencerConfig;
import io.tidemark.core.Sequencers;
import io.tidemark.spi.EventHeader;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.Layout;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.SeqValues;
import io.tidemark.spi.SequenceTouch;
import io.tidemark.storage.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Hazards that break no invariant but cost: counted in virtual time, where nothing else does. */
final class EconomyTest {
  private static final int KIND = 1;
  private static final int INVOICES = 256;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final World world = new World(Choices.replay(new int[0]));
  private final MemoryStore store = MemoryStore.builder().claimIds(world::nextId).build();
  private final SimulatedProcess process = new SimulatedProcess(world, "owner");

  private Duration writeTime = Duration.ZERO;

  /** Each flush woke the writer: two storage writes per command under light load. */
  @Test
  void manyCommands_underLightLoad_costOneWrite() {
    run(500, (open, handle) -> commands(open, handle, 100));
    assertThat(world.trace().stream().filter(line -> line.contains("writeSeqData")).count())
        .as("writes of numbers, that of close included")
        .isEqualTo(1);
  }

  /** Over the limit, replay slept for its delay instead of being woken by the end of a write. */
  @Test
  void longReplay_overTheLimit_waitsForWritesAndNotForTime() {
    run(500, (open, handle) -> commands(open, handle, 100));
    IAppStorage fresh = store.open("fresh", Layout.of(1));
    copyLog(store.open("app", Layout.of(1)), fresh);
    long before = world.now();
    List<Long> after = new ArrayList<>();
    serve(
        "fresh",
        3,
        (open, handle) -> {
          assertThat(open.awaitReady(PATIENCE)).isTrue();
          after.add(world.now());
        });
    assertThat(after).as("virtual time until ready").containsExactly(before);
  }

  /** Values in flight were counted as waiting, so flushing could use only half of the limit. */
  @Test
  void start_whileAWriteHangs_isRefusedOnlyWhenMoreThanTheLimitWait() {
    List<SequencerStatus> atRefusal = new ArrayList<>();
    writeTime = Duration.ofSeconds(1);
    run(
        4,
        (open, handle) -> {
          assertThat(open.awaitReady(PATIENCE)).isTrue();
          long wsid = 0;
          while (open.start(KIND, ++wsid) > 0) { // nobody else runs in between
            command(open, handle, wsid);
            if (wsid == 2) { // the flusher takes what waits, and its write hangs
              process.newSignal().await(0, Duration.ofMillis(1).toNanos());
            }
          }
          assertThat(open.refusal()).isEqualTo(Refusal.BACKPRESSURE);
          atRefusal.add(open.status());
        });
    assertThat(atRefusal).hasSize(1);
    assertThat(atRefusal.get(0).inFlightValues()).as("in flight").isPositive();
    assertThat(atRefusal.get(0).waitingValues()).as("waiting").isGreaterThan(4);
  }

  /** A handle whose writes of numbers take their time. */
  private final class SlowPartition extends FaultyPartition {
    SlowPartition(Network network, IPartitionStorage real) {
      super(network, new History(), real);
    }

    @Override
    public void writeValuesAndOffset(SeqValues batch, long nextOffset) {
      if (!writeTime.isZero()) {
        process.newSignal().await(0, writeTime.toNanos());
      }
      super.writeValuesAndOffset(batch, nextOffset);
    }
  }

  private interface Work {
    void with(ISequencer open, IPartitionStorage handle);
  }

  private void run(int maxUnflushed, Work work) {
    serve("app", maxUnflushed, work);
  }

  private void serve(String application, int maxUnflushed, Work work) {
    SequencerConfig config =
        SequencerConfig.builder(
                SequenceTypes.builder()
                    .sequence(KIND, INVOICES, SequenceDefinition.named("invoices").build())
                    .build())
            .maxUnflushedValues(maxUnflushed)
            .build();
    Network network = new Network(world, store, Scope.walked(1), () -> {});
    FaultyApp app =
        new FaultyApp(network, new History(), store.open(application, Layout.of(1)), world);
    world.bePunctual();
    world.spawn(
        process,
        "main",
        () -> {
          FaultyPartition claimed = (FaultyPartition) app.claim(0, "owner");
          ISequencer open =
              Sequencers.of(app, config, CacheBudget.of(1000), process)
                  .open(new SlowPartition(network, claimed.real()));
          work.with(open, claimed.real());
          assertThat(open.close(PATIENCE)).as("all was flushed").isTrue();
        });
    assertThat(world.run(100_000)).as("it still runs").isFalse();
  }

  private void commands(ISequencer open, IPartitionStorage handle, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(open.start(KIND, i % 10, PATIENCE)).isPositive();
      command(open, handle, i % 10);
      process.newSignal().await(0, Duration.ofMillis(1).toNanos()); // a writer could run now
    }
  }

  /** Appends without a step of the world, so that nobody else runs. */
  private static void command(ISequencer open, IPartitionStorage handle, long wsid) {
    open.next(INVOICES);
    List<SequenceTouch> touches = new ArrayList<>();
    open.drawn(
        (seqId, count, last, seen) -> touches.add(new SequenceTouch(seqId, count, last, seen)));
    long offset = open.status().nextOffset();
    EventHeader header =
        new EventHeader(new UUID(7, offset), offset, wsid, KIND, 0, false, touches);
    handle.append(
        List.of(new PLogEvent(offset, header, new byte[0])), WriteMode.INSERT_IF_NOT_EXISTS);
    open.flush();
  }

  private static void copyLog(IAppStorage from, IAppStorage to) {
    List<PLogEvent> events = new ArrayList<>();
    from.reader(0).readPLog(1, events::add);
    assertThat(events).hasSize(100);
    to.claim(0, "copy").append(events, WriteMode.INSERT_IF_NOT_EXISTS);
  }
}
