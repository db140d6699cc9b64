package io.tidemark.tck;

import static io.tidemark.api.WriteMode.INSERT_IF_NOT_EXISTS;
import static io.tidemark.tck.Made.SEQ;
import static io.tidemark.tck.Made.plog;
import static io.tidemark.tck.Made.value;
import static io.tidemark.tck.Made.wlog;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceViolationException;
import io.tidemark.api.StorageException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.spi.IPartitionStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.PLogEvent;
import io.tidemark.spi.RecordRow;
import io.tidemark.spi.WLogRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * What holds when many threads and owners meet. Threads record what they were told; the record is
 * checked when they have ended. A storage under contention may answer that it is unavailable or
 * does not know; it must not answer what is not so.
 */
interface ConcurrencyRules extends StorageHarness {
  /** How many threads meet. */
  int THREADS = 4;

  @Rule({"S-1", "S-5", "S-8"})
  @Property(tries = 3, shrinking = ShrinkingMode.OFF)
  default void write_byManyThreads_keepsTheLargestAndReadsNeverGoBack_stochastic(
      @ForAll long seed) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    AtomicLong acknowledged = new AtomicLong();
    Queue<String> wrong = new ConcurrentLinkedQueue<>();
    Queue<StorageException> refused = new ConcurrentLinkedQueue<>();
    Crew crew = new Crew();
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed + i);
      crew.add(
          () -> {
            for (int step = 0; step < 8; step++) {
              long number = 1L + random.nextInt(1000);
              try {
                owner.writeValuesAndOffset(value(wsid, SEQ, number), number + 1);
                acknowledged.accumulateAndGet(number, Math::max);
                long floor = acknowledged.get();
                long read = owner.readNumbers(wsid, new int[] {SEQ})[0];
                if (read < floor) {
                  wrong.add("read " + read + " when " + floor + " was acknowledged before");
                }
              } catch (OutcomeUnknownException | StorageUnavailableException e) {
                refused.add(e);
              }
            }
          });
    }
    crew.work();
    assertThat(refused).as("refused writes of %d", THREADS * 8).hasSizeLessThan(THREADS * 8);
    assertThat(wrong).as("reads that went back").isEmpty();
    assertThat(owner.readNumbers(wsid, new int[] {SEQ})[0])
        .as("stored after many threads wrote at once; the largest acknowledged is this or less")
        .isGreaterThanOrEqualTo(acknowledged.get());
    assertThat(owner.readNextPLogOffset())
        .as("next offset after many threads wrote at once")
        .isGreaterThanOrEqualTo(acknowledged.get() + 1);
  }

  @Rule({"T-3", "L-8"})
  @Property(tries = 4, shrinking = ShrinkingMode.OFF)
  default void append_ofOneOffsetByManyThreads_isGivenToOne_stochastic(@ForAll boolean groups) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    int size = groups ? LogRules.fitting(owner, 0, 3) : 1;
    List<List<PLogEvent>> offered = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      offered.add(Made.group(wsid, 1, size));
    }
    List<Integer> winners =
        race(i -> () -> owner.append(offered.get(i), INSERT_IF_NOT_EXISTS), "append of 1.." + size);
    assertThat(winners).as("threads told that their events are at 1..%d", size).hasSizeLessThan(2);
    List<PLogEvent> log = plog(owner);
    if (!winners.isEmpty()) {
      assertThat(log)
          .as("the log after thread %d was told success", winners.get(0))
          .isEqualTo(offered.get(winners.get(0)));
    } else {
      assertThat(log.isEmpty() || offered.contains(log))
          .as("the log holds one thread's group or nothing, was %s", log)
          .isTrue();
    }
  }

  @Rule("T-5")
  @Property(tries = 4, shrinking = ShrinkingMode.OFF)
  default void appendWLog_ofOneOffsetByManyThreads_isGivenToOne_stochastic(@ForAll boolean last) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    long offset = last ? Long.MAX_VALUE : 1;
    List<Integer> winners =
        race(
            i ->
                () ->
                    owner.appendWLog(
                        List.of(wlog(wsid, offset, i + 1L, "of " + i)), INSERT_IF_NOT_EXISTS),
            "insert of WLog offset " + offset);
    assertThat(winners).as("threads told that their row is at %d", offset).hasSizeLessThan(2);
    if (!winners.isEmpty()) {
      int winner = winners.get(0);
      assertThat(wlog(owner, wsid))
          .as("the WLog after thread %d was told success", winner)
          .containsExactly(new WLogRow(wsid, offset, winner + 1L, Made.bytes("of " + winner)));
    }
  }

  @Rule("T-8")
  @Property(tries = 4, shrinking = ShrinkingMode.OFF)
  default void putRecords_oneNewRecordByManyThreads_isGivenToOne_stochastic(
      @ForAll boolean updates) {
    Scene scene = Scene.of(this);
    IPartitionStorage owner = scene.claim();
    long wsid = scene.workspace(0);
    // All under one PLog offset: whoever comes later differs in bytes alone, and must be refused.
    List<Integer> winners =
        race(
            i ->
                () ->
                    owner.putRecords(
                        List.of(Made.created(wsid, 6, 5, "of " + i)), INSERT_IF_NOT_EXISTS),
            "insert of record 6");
    assertThat(winners).as("threads told that record 6 is theirs").hasSizeLessThan(2);
    RecordRow stored = owner.readRecord(wsid, 6);
    if (!winners.isEmpty()) {
      assertThat(stored)
          .as("record 6 after thread %d was told success", winners.get(0))
          .isEqualTo(Made.updated(wsid, 6, 5, "of " + winners.get(0)));
    }
    if (updates) {
      List<Integer> updated =
          race(
              i ->
                  () ->
                      owner.putRecords(
                          List.of(Made.updated(wsid, 6, 10L + i, "up " + i)), INSERT_IF_NOT_EXISTS),
              "update of record 6");
      long highest = updated.stream().mapToLong(i -> 10L + i).max().orElse(5);
      RecordRow after = owner.readRecord(wsid, 6);
      assertThat(after == null ? 0 : after.plogOffset())
          .as("PLog offset of record 6 after acknowledged updates by threads %s", updated)
          .isGreaterThanOrEqualTo(highest);
    }
  }

  /** Runs one write per thread and answers the threads that were told success. */
  private static List<Integer> race(IntFunction<Runnable> writes, String what) {
    Queue<Integer> winners = new ConcurrentLinkedQueue<>();
    Queue<StorageException> losers = new ConcurrentLinkedQueue<>();
    Crew crew = new Crew();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      Runnable write = writes.apply(i);
      crew.add(
          () -> {
            try {
              write.run();
              winners.add(thread);
            } catch (SequenceViolationException
                | OutcomeUnknownException
                | StorageUnavailableException refused) {
              losers.add(refused);
            }
          });
    }
    crew.work();
    assertThat(winners.size() + losers.size())
        .as("%s by %d threads: each is told success or refusal", what, THREADS)
        .isEqualTo(THREADS);
    return List.copyOf(winners);
  }

  @Rule({"F-3", "F-5", "F-11", "F-12"})
  @Property(tries = 3, shrinking = ShrinkingMode.OFF)
  default void claims_racingWithAppends_leaveOneOrderOfOwners_stochastic(@ForAll long seed) {
    Scene scene = Scene.of(this);
    OwnerRace race = new OwnerRace(scene);
    Crew crew = new Crew();
    for (int i = 0; i < 3; i++) {
      Random random = new Random(seed + i);
      crew.add(() -> race.run(random));
    }
    crew.work();
    race.check();
  }

  @Rule({"Q-8", "Q-10"})
  @Property(tries = 2, shrinking = ShrinkingMode.OFF)
  default void sequences_createdByManyThreads_getIdsOfTheirOwn_stochastic(@ForAll boolean unused) {
    ISequenceStorage<?> sequences = Scene.of(this).app().sequences("owner");
    Queue<Long> ids = new ConcurrentLinkedQueue<>();
    Queue<StorageException> refusals = new ConcurrentLinkedQueue<>();
    Crew crew = new Crew();
    for (int i = 0; i < THREADS; i++) {
      crew.add(() -> createSome(sequences, ids, refusals));
    }
    crew.work();
    assertThat(ids.size() + refusals.size()).as("ids given and refused").isEqualTo(THREADS * 5);
    assertThat(ids).as("ids given to threads that created at once").doesNotHaveDuplicates();
  }

  private static <T> void createSome(
      ISequenceStorage<T> sequences, Queue<Long> ids, Queue<StorageException> refusals) {
    for (int i = 0; i < 5; i++) {
      try {
        AtomicLong id = new AtomicLong();
        sequences.transact(
            transaction ->
                id.set(
                    sequences.create(transaction, SequenceDefinition.named("concurrent").build())));
        ids.add(id.get());
      } catch (OutcomeUnknownException | StorageUnavailableException refused) {
        refusals.add(refused);
      }
    }
  }
}
