package io.tidemark.storage.foundationdb;

import static io.tidemark.storage.foundationdb.ClientStep.at;
import static io.tidemark.storage.foundationdb.NaiveDatabase.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import io.tidemark.storage.foundationdb.ClientStep.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * What the adapter relies on, checked on whatever the tests run on: so that the simulation is held
 * to the same properties as a real cluster.
 */
class ClientSemanticsTest {
  private static final Database DATABASE = TestCluster.start().database();

  private final byte[] prefix = bytes("semantics-" + UUID.randomUUID() + "/");

  @Provide
  Arbitrary<List<ClientStep>> steps() {
    return ClientStep.any(Kind.values()).list().ofMinSize(1).ofMaxSize(14);
  }

  @Provide
  Arbitrary<List<ClientStep>> writes() {
    return ClientStep.any(Kind.SET, Kind.SET, Kind.CLEAR, Kind.MUTATE).list().ofMaxSize(8);
  }

  @Provide
  Arbitrary<List<List<ClientStep>>> transactions() {
    // Without snapshot reads, which are not serializable on purpose.
    return ClientStep.any(
            Kind.GET,
            Kind.GET_KEY,
            Kind.GET_RANGE,
            Kind.ITERATE,
            Kind.SET,
            Kind.CLEAR,
            Kind.CLEAR_RANGE,
            Kind.MUTATE)
        .list()
        .ofMinSize(1)
        .ofMaxSize(5)
        .list()
        .ofMinSize(2)
        .ofMaxSize(5);
  }

  @Provide
  Arbitrary<List<Integer>> schedule() {
    return Arbitraries.integers().between(0, 4).list().ofSize(25);
  }

  private NaiveDatabase stored(List<ClientStep> writes) {
    NaiveDatabase model = new NaiveDatabase();
    ClientStep.guard(model);
    writes.forEach(step -> step.run(model));
    DATABASE.run(
        transaction -> {
          transaction.clear(prefix, ByteArrayUtil.strinc(prefix));
          model.rows().forEach((key, value) -> transaction.set(at(prefix, key), bytes(value)));
          return true;
        });
    return model;
  }

  private void assertHolds(NaiveDatabase model) {
    List<String> expected = new ArrayList<>();
    model.rows().forEach((key, value) -> expected.add(key + "=" + value));
    String found =
        DATABASE.run(
            transaction ->
                ClientStep.rows(
                    prefix,
                    transaction.getRange(prefix, ByteArrayUtil.strinc(prefix)).asList().join()));
    assertThat(found).isEqualTo(expected.toString());
  }

  @Property(tries = 400)
  void transaction_alone_answersAsTheModelAndSeesItsOwnWrites(
      @ForAll("writes") List<ClientStep> before, @ForAll("steps") List<ClientStep> steps) {
    NaiveDatabase model = stored(before);
    try (Transaction transaction = DATABASE.createTransaction()) {
      for (ClientStep step : steps) {
        String expected = step.run(model);
        assertThat(step.run(transaction, prefix)).as("%s in %s", step, steps).isEqualTo(expected);
      }
      transaction.commit().join();
    }
    assertHolds(model);
  }

  /** A transaction under way, and what it was told. */
  private static final class Run {
    final Transaction transaction = DATABASE.createTransaction();
    final List<ClientStep> steps;
    final List<String> answers = new ArrayList<>();
    boolean isDone;
    boolean isCommitted;
    boolean isReadOnly;
    long version;

    Run(List<ClientStep> steps) {
      this.steps = steps;
    }

    void step(byte[] prefix) {
      if (answers.size() < steps.size()) {
        answers.add(steps.get(answers.size()).run(transaction, prefix));
      } else if (!isDone) {
        isDone = true;
        commit();
      }
    }

    private void commit() {
      long readVersion = transaction.getReadVersion().join();
      try {
        transaction.commit().join();
        isCommitted = true;
        isReadOnly = transaction.getCommittedVersion() < 0;
        version = isReadOnly ? readVersion : transaction.getCommittedVersion();
      } catch (CompletionException e) {
        FDBException failure = FoundationDbErrorClassifier.find(e);
        assertThat(failure == null ? 0 : failure.getCode()).as("the only refusal").isEqualTo(1020);
      }
    }
  }

  @Property(tries = 400)
  void transactions_interleavedAtRandom_areAsIfOneAfterTheOther(
      @ForAll("writes") List<ClientStep> before,
      @ForAll("transactions") List<List<ClientStep>> transactions,
      @ForAll("schedule") @Size(25) List<Integer> schedule) {
    NaiveDatabase model = stored(before);
    List<Run> runs = new ArrayList<>();
    transactions.forEach(steps -> runs.add(new Run(steps)));
    try {
      for (int turn : schedule) {
        runs.get(turn % runs.size()).step(prefix);
      }
      for (Run run : runs) {
        while (!run.isDone) {
          run.step(prefix);
        }
      }
    } finally {
      runs.forEach(run -> run.transaction.close());
    }
    List<Run> order = new ArrayList<>(runs.stream().filter(run -> run.isCommitted).toList());
    // A read-only transaction comes behind the commit whose version it read at.
    order.sort(
        Comparator.<Run>comparingLong(run -> run.version).thenComparing(run -> run.isReadOnly));
    for (Run run : order) {
      for (int i = 0; i < run.steps.size(); i++) {
        assertThat(run.answers.get(i))
            .as("%s of %s, in the order of versions", run.steps.get(i), run.steps)
            .isEqualTo(run.steps.get(i).run(model));
      }
    }
    assertHolds(model);
    Statistics.label("a transaction was refused")
        .collect(order.size() < runs.size())
        .coverage(checker -> checker.check(true).percentage(share -> share > 5));
    Statistics.label("several that wrote were committed")
        .collect(order.stream().filter(run -> !run.isReadOnly).count() > 1)
        .coverage(checker -> checker.check(true).percentage(share -> share > 5));
  }

  /** Two transactions: the first reads, the second writes and commits, then the first commits. */
  private @Nullable Integer refusal(ClientStep read, ClientStep own, ClientStep written) {
    stored(
        List.of(
            new ClientStep(Kind.SET, "c", "c", 0, false, "1"),
            new ClientStep(Kind.SET, "e", "e", 0, false, "2")));
    try (Transaction first = DATABASE.createTransaction();
        Transaction second = DATABASE.createTransaction()) {
      own.run(first, prefix);
      read.run(first, prefix);
      first.set(at(prefix, "x"), bytes("1"));
      written.run(second, prefix);
      second.commit().join();
      first.commit().join();
      return null;
    } catch (CompletionException e) {
      FDBException failure = FoundationDbErrorClassifier.find(e);
      return failure == null ? 0 : failure.getCode();
    }
  }

  private static ClientStep step(Kind kind, String key, String other, int number, boolean flag) {
    return new ClientStep(kind, key, other, number, flag, "9");
  }

  private static final ClientStep NOTHING = step(Kind.CLEAR, "y", "y", 0, false);

  @Example
  void conflict_ofWhatWasReadAndWrittenMeanwhile_isExact() {
    ClientStep writesC = step(Kind.SET, "c", "c", 0, false);
    ClientStep insertsD = step(Kind.SET, "d", "d", 0, false);
    ClientStep readsC = step(Kind.GET, "c", "c", 0, false);

    assertThat(refusal(readsC, NOTHING, writesC)).as("read, then written").isEqualTo(1020);
    assertThat(refusal(readsC, NOTHING, insertsD)).as("another key").isNull();
    assertThat(refusal(step(Kind.SNAPSHOT_GET, "c", "c", 0, false), NOTHING, writesC))
        .as("a snapshot read")
        .isNull();
    assertThat(refusal(readsC, step(Kind.SET, "c", "c", 0, false), writesC))
        .as("only its own write was read")
        .isNull();
    assertThat(refusal(readsC, step(Kind.CLEAR_RANGE, "b", "d", 0, false), writesC))
        .as("only its own clear was read")
        .isNull();
    assertThat(refusal(readsC, step(Kind.MUTATE, "c", "c", 0, false), writesC))
        .as("a mutation whose result depends on the database")
        .isEqualTo(1020);
    assertThat(refusal(NOTHING, step(Kind.MUTATE, "c", "c", 0, false), writesC))
        .as("a mutation reads nothing")
        .isNull();
    assertThat(refusal(step(Kind.GET_RANGE, "b", "f", 0, false), NOTHING, insertsD))
        .as("a phantom in a range")
        .isEqualTo(1020);
    assertThat(refusal(step(Kind.GET_RANGE, "b", "f", 1, false), NOTHING, insertsD))
        .as("a phantom behind the limit")
        .isNull();
    assertThat(refusal(step(Kind.GET_RANGE, "b", "f", 1, true), NOTHING, insertsD))
        .as("a phantom behind the limit, in reverse")
        .isNull();
    assertThat(refusal(step(Kind.GET_KEY, "e", "e", 0, false), NOTHING, insertsD))
        .as("a key selector that would answer the new key")
        .isEqualTo(1020);
    assertThat(
            refusal(
                step(Kind.GET_KEY, "e", "e", 0, false),
                NOTHING,
                step(Kind.SET, "f", "f", 0, false)))
        .as("a key selector that would answer the same")
        .isNull();
  }

  @Example
  void conflictRanges_addedByHand_count() {
    stored(List.of());
    byte[] key = at(prefix, "c");
    try (Transaction reading = DATABASE.createTransaction();
        Transaction writing = DATABASE.createTransaction()) {
      reading.getReadVersion().join();
      reading.addReadConflictKey(key);
      reading.set(at(prefix, "x"), bytes("1"));
      writing.addWriteConflictKey(key);
      writing.commit().join();
      assertThat(reading.commit())
          .failsWithin(Duration.ofSeconds(30))
          .withThrowableOfType(ExecutionException.class)
          .withMessageContaining("conflict");
    }
  }

  @Example
  void reads_afterAnothersCommit_stayAtTheirVersion() {
    stored(List.of(step(Kind.SET, "c", "c", 0, false)));
    byte[] key = at(prefix, "c");
    try (Transaction reading = DATABASE.createTransaction()) {
      assertThat(reading.get(key).join()).isEqualTo(bytes("9"));
      DATABASE.run(
          transaction -> {
            transaction.set(key, bytes("newer"));
            return true;
          });
      assertThat(reading.get(key).join()).isEqualTo(bytes("9"));
      assertThat(reading.snapshot().get(key).join()).isEqualTo(bytes("9"));
    }
    assertThat(DATABASE.<byte[]>read(transaction -> transaction.get(key).join()))
        .isEqualTo(bytes("newer"));
  }
}
