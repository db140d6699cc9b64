package io.tidemark.core;

import static io.tidemark.core.Fixture.KIND;
import static io.tidemark.core.Fixture.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.ISequencer;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceTypes;
import io.tidemark.api.SystemSequences;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.spi.Cancellation;
import io.tidemark.spi.ISeqStorage;
import io.tidemark.spi.ReplayBatcher;
import io.tidemark.spi.SeqValues;
import io.tidemark.storage.memory.Outcome;
import io.tidemark.storage.memory.StorageCall;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids that are no sequence's, storages that hang, threads that cannot be started, full caches. */
final class LimitsTest {
  private static final Duration LONG = Duration.ofSeconds(10);

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 65_536, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void next_ofAnIdThatIsNoSequence_changesNothing(int seqId) {
    Fixture fixture = new Fixture();
    ISequencer sequencer = fixture.ready().sequencer();
    sequencer.start(KIND, 7);
    assertThat(sequencer.next(ORDERS, 5)).isEqualTo(1);
    assertThatThrownBy(() -> sequencer.next(seqId)).isInstanceOf(UnknownSequenceException.class);
    assertThatThrownBy(() -> sequencer.next(seqId, 1000))
        .isInstanceOf(UnknownSequenceException.class);
    assertThatThrownBy(() -> sequencer.observe(seqId, 9))
        .isInstanceOf(UnknownSequenceException.class);
    sequencer.flush();
    sequencer.start(KIND, 7);
    assertThat(sequencer.next(ORDERS)).isEqualTo(6);
    sequencer.flush();
    fixture.environment.advance(Duration.ofSeconds(1));
    assertThat(fixture.stored(7, SystemSequences.WORKSPACE_KIND)).isEqualTo(KIND);
  }

  @Test
  void memory_whileAWriteAboveTheLimitHangs_isTwiceTheLimitAndOneGroup() {
    Fixture fixture = Fixture.withMaxUnflushed(10);
    ISequencer sequencer = fixture.ready().sequencer();
    fixture.store.outcomes().always(StorageCall.WRITE_SEQ_DATA, Outcome.REFUSED);
    long wsid = fill(fixture, sequencer, 1);
    fixture.store.outcomes().script(StorageCall.WRITE_SEQ_DATA, Outcome.APPLIED);
    fixture.environment.advance(Duration.ofMillis(500));
    fill(fixture, sequencer, wsid);
    assertThat(sequencer.status().waitingValues() + sequencer.status().inFlightValues())
        .isBetween(2 * 10, 2 * 10 + 2);
  }

  private static long fill(Fixture fixture, ISequencer sequencer, long from) {
    long wsid = from;
    for (; sequencer.start(KIND, wsid) != 0; wsid++) {
      sequencer.next(ORDERS);
      sequencer.flush();
      fixture.environment.runReady();
    }
    return wsid;
  }

  /** Writes nothing, and counts who looks for more work. */
  private static final class Hanging extends ManualEnvironment {
    private int lingered;

    @Override
    public void execute(Lane lane, Runnable task) {
      if (lane != Lane.FLUSH) {
        super.execute(lane, task);
      }
    }

    @Override
    public boolean linger(Lane lane, BooleanSupplier condition) {
      lingered++;
      return condition.getAsBoolean();
    }
  }

  @Test
  void replay_heldBackWhileStorageHangs_sleeps() {
    Fixture fixture = new Fixture();
    LogPartition before = fixture.ready();
    for (long wsid = 1; wsid <= 100; wsid++) {
      Fixture.order(before, wsid, 1);
    }
    Hanging hanging = new Hanging();
    SequencerConfig config = SequencerConfig.builder(Fixture.TYPES).maxUnflushedValues(10).build();
    LogPartition held =
        Sequencers.of(fixture.application, config, fixture.budget, hanging).claim(0, "held");
    hanging.schedule(
        Duration.ofSeconds(1),
        Environment.Lane.COMMAND,
        () -> held.sequencer().close(Duration.ZERO));
    hanging.runReady();
    assertThat(hanging.lingered).as("looks in one second").isBetween(1, 4);
  }

  /** Cannot start a thread to flush with, for a while. */
  private static final class NoThread extends ManualEnvironment {
    private int refusals;

    @Override
    public void execute(Lane lane, Runnable task) {
      if (lane == Lane.FLUSH && refusals > 0) {
        refusals--;
        throw new OutOfMemoryError("unable to create native thread");
      }
      super.execute(lane, task);
    }
  }

  @Test
  void flush_whileNoThreadCanBeStarted_doesNotFail_andIsWrittenLater() {
    Fixture fixture = new Fixture();
    NoThread environment = new NoThread();
    SequencerConfig config = SequencerConfig.builder(Fixture.TYPES).maxUnflushedValues(2).build();
    LogPartition partition =
        Sequencers.of(fixture.application, config, fixture.budget, environment).claim(0, "a");
    assertThat(partition.sequencer().awaitReady(LONG)).isTrue();
    environment.refusals = 1;
    Fixture.order(partition, 7, 1);
    environment.advance(Duration.ofMinutes(1));
    assertThat(fixture.stored(7, ORDERS)).isEqualTo(1);
  }

  @Test
  void replay_ofAnIdBelowOne_ignoresIt() {
    ISeqStorage storage =
        new Nowhere() {
          @Override
          public void actualizeSequencesFromPLog(
              long from, Cancellation cancellation, ReplayBatcher batcher) {
            batcher.accept(
                new SeqValues().add(7, -1, 5).add(7, Integer.MAX_VALUE, 5).add(7, ORDERS, 9), 1);
          }
        };
    ISequencer sequencer =
        Sequencers.over(
            storage,
            SequencerConfig.of(Fixture.TYPES),
            CacheBudget.of(100),
            new ManualEnvironment());
    assertThat(sequencer.awaitReady(LONG)).isTrue();
    sequencer.start(KIND, 7);
    assertThat(sequencer.next(ORDERS)).isEqualTo(10);
  }

  @Test
  void cells_ofIdsFarApart_areAsManyAsTheSequences() {
    SequenceTypes types =
        SequenceTypes.builder()
            .sequence(1, 256, SequenceDefinition.named("a").build())
            .sequence(1, 256 + 32_768, SequenceDefinition.named("b").build())
            .build();
    Kinds kinds = new Kinds(types);
    assertThat(kinds.require(1).newCells(kinds.places())).hasSize(2);
  }

  @Test
  void budget_whileAnIdleOneIsFarAboveItsShare_letsTheOthersKeepTwoWorkspaces() {
    SequenceTypes.Builder builder = SequenceTypes.builder();
    for (int seqId = 256; seqId < 262; seqId++) {
      builder.sequence(KIND, seqId, SequenceDefinition.named("s" + seqId).build());
    }
    Kinds kinds = new Kinds(builder.build());
    Kind wide = kinds.require(KIND); // six numbers
    CacheBudget budget = CacheBudget.of(50);
    NumberCache idle = cache(kinds, budget);
    NumberCache[] others = new NumberCache[4];
    for (int i = 0; i < others.length; i++) { // five in all: a share is 10 numbers
      others[i] = cache(kinds, budget);
    }
    for (int wsid = 0; wsid < 8; wsid++) {
      idle.insert(wide, wsid, true);
    }
    for (NumberCache other : others) {
      other.insert(wide, 1, true);
      other.insert(wide, 2, true);
      assertThat(other.table(wide).find(1)).isNotEqualTo(KindTable.NONE);
    }
  }

  @Test
  void eviction_whereTheLargestTableIsPinned_takesFromAnother() {
    Kinds kinds = new Kinds(Fixture.TYPES);
    OpenTransaction open = new OpenTransaction(kinds);
    NumberCache cache = new NumberCache(new ShortLock(), CacheBudget.of(100), open, kinds.count());
    Kind three = kinds.require(KIND);
    Kind one = kinds.require(Fixture.OTHER_KIND);
    cache.insert(one, 1, true);
    cache.insert(one, 2, true);
    int entry = cache.insert(three, 3, true);
    open.begin(three, 3, cache.table(three).values(), KindTable.base(entry), true);
    assertThat(cache.tryEvictOne()).isTrue();
    assertThat(cache.table(three).find(3)).as("the open one").isNotEqualTo(KindTable.NONE);
  }

  private static NumberCache cache(Kinds kinds, CacheBudget budget) {
    return new NumberCache(new ShortLock(), budget, new OpenTransaction(kinds), kinds.count());
  }
}
