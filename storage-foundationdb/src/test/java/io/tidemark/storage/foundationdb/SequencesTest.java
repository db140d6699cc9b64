package io.tidemark.storage.foundationdb;

import static io.tidemark.storage.foundationdb.Fixture.APP;
import static io.tidemark.storage.foundationdb.Fixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.subspace.Subspace;
import com.apple.foundationdb.tuple.Tuple;
import io.tidemark.api.FencedException;
import io.tidemark.api.ISequence;
import io.tidemark.api.ISequences;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.api.VersionedValue;
import io.tidemark.core.Sequences;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.ISequenceStorage.CatalogEntry;
import io.tidemark.spi.Layout;
import io.tidemark.storage.foundationdb.simulated.SimulatedCluster;
import io.tidemark.storage.foundationdb.simulated.SimulatedFaults.Fate;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** SQL-like sequences with the caller's own FoundationDB transaction. */
class SequencesTest {
  private static final SequenceDefinition ORDERS =
      SequenceDefinition.named("orders").start(10L).build();

  private final SimulatedCluster simulation = new SimulatedCluster();
  private final TestCluster cluster = TestCluster.simulated(simulation);
  private final Database database = cluster.database();
  private final IAppStorage app = cluster.open(APP, Layout.of(1));
  private final FoundationDbSequences sequences = claim("test");
  private final byte[] rowKey = new Subspace(Tuple.from("users", "row")).pack();

  private FoundationDbSequences claim(String owner) {
    return (FoundationDbSequences) app.sequences(owner);
  }

  private long created() {
    long[] id = new long[1];
    sequences.transact(transaction -> id[0] = sequences.create(transaction, ORDERS));
    return id[0];
  }

  private static VersionedValue value(long version) {
    return new VersionedValue(version, version * 10, true);
  }

  private Transaction put(long id, long version) {
    Transaction transaction = database.createTransaction();
    sequences.put(transaction, id, value(version));
    transaction.set(rowKey, bytes("row " + version));
    return transaction;
  }

  private byte[] row() {
    return database.run(transaction -> transaction.get(rowKey).join());
  }

  @Test
  void transactionType_isTheClients() {
    assertThat(sequences.transactionType()).isEqualTo(Transaction.class);
  }

  @Test
  @Tag("Q-9")
  @Tag("Q-11")
  void put_isDurableExactlyWhenTheCallersRowIs() {
    long id = created();
    assertThat(sequences.getLatest(id)).isEqualTo(new VersionedValue(0, 10, false));
    try (Transaction transaction = put(id, 1)) {
      assertThat(sequences.getLatest(id).version()).as("not committed").isZero();
      assertThat(row()).isNull();
      transaction.commit().join();
    }
    assertThat(sequences.getLatest(id)).isEqualTo(value(1));
    assertThat(row()).isEqualTo(bytes("row 1"));
    put(id, 2).close();
    assertThat(sequences.getLatest(id)).as("rolled back").isEqualTo(value(1));
  }

  @Test
  @Tag("Q-10")
  void put_inOverlappingTransactions_bothCommitAndTheHigherVersionStays() {
    long id = created();
    try (Transaction lower = database.createTransaction();
        Transaction higher = database.createTransaction()) {
      sequences.put(lower, id, value(1));
      sequences.put(higher, id, value(2));
      higher.commit().join();
      lower.commit().join();
    }
    assertThat(sequences.getLatest(id)).isEqualTo(value(2));
    sequences.transact(
        transaction -> sequences.put(transaction, id, new VersionedValue(2, 999, true)));
    assertThat(sequences.getLatest(id)).as("an equal version").isEqualTo(value(2));
  }

  @Test
  @Tag("Q-10")
  void put_ofNegativeAndZeroValues_isOrderedByVersionAlone() {
    long id = created();
    for (VersionedValue value :
        new VersionedValue[] {
          new VersionedValue(1, -1, true),
          new VersionedValue(2, 0, true),
          new VersionedValue(256, Long.MIN_VALUE, false),
          new VersionedValue(Long.MAX_VALUE, 5, true)
        }) {
      sequences.transact(transaction -> sequences.put(transaction, id, value));
      assertThat(sequences.getLatest(id)).isEqualTo(value);
    }
  }

  @Test
  @Tag("Q-5")
  void claim_meanwhile_fencesTheCallersOpenTransaction() {
    long id = created();
    try (Transaction open = put(id, 1)) {
      FoundationDbSequences newer = claim("newer");
      assertThatThrownBy(() -> open.commit().join())
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOfSatisfying(
              FDBException.class, refused -> assertThat(refused.getCode()).isEqualTo(1020));
      assertThat(row()).as("nothing of it").isNull();
      assertThatThrownBy(() -> put(id, 2))
          .isInstanceOf(FencedException.class)
          .hasMessageContaining("'newer'");
      assertThatThrownBy(this::created).isInstanceOf(FencedException.class);
      newer.transact(transaction -> newer.put(transaction, id, value(3)));
      assertThat(sequences.getLatest(id)).as("reading is free").isEqualTo(value(3));
    }
  }

  @Test
  @Tag("Q-5")
  void run_ofTheDatabase_endsWithTheFence() {
    long id = created();
    claim("newer");

    assertThatThrownBy(
            () ->
                database.run(
                    transaction -> {
                      sequences.put(transaction, id, value(1));
                      return true;
                    }))
        .hasCauseInstanceOf(FencedException.class);
  }

  @Test
  @Tag("Q-5")
  void transact_duringWhichAnotherClaims_isFencedNotUnavailable() {
    long id = created();

    assertThatThrownBy(
            () ->
                sequences.transact(
                    transaction -> {
                      sequences.put(transaction, id, value(1));
                      claim("newer");
                    }))
        .isInstanceOf(FencedException.class);
  }

  @Test
  void put_ofVersionZeroOrIntoAFinishedTransaction_isRefused() {
    long id = created();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> put(id, 0))
        .withMessage("version must be >= 1, was 0");
    Transaction committed = put(id, 1);
    committed.commit().join();
    assertThatIllegalStateException()
        .isThrownBy(() -> sequences.put(committed, id, value(2)))
        .withMessageContaining("finished");
    committed.close();
    assertThatIllegalStateException().isThrownBy(() -> sequences.put(committed, id, value(2)));
    Transaction cancelled = database.createTransaction();
    cancelled.cancel();
    assertThatIllegalStateException()
        .isThrownBy(() -> sequences.put(cancelled, id, value(2)))
        .withMessageContaining("finished");
  }

  @Test
  @Tag("Q-8")
  void create_afterRollbackOrDrop_neverGivesAnIdAgain() {
    long first = created();
    Transaction rolledBack = database.createTransaction();
    long second = sequences.create(rolledBack, ORDERS);
    rolledBack.close();
    sequences.transact(transaction -> sequences.drop(transaction, first));
    long third = created();

    assertThat(new long[] {first, second, third}).doesNotHaveDuplicates();
    assertThat(sequences.catalog()).containsExactly(new CatalogEntry(third, ORDERS));
  }

  @Test
  void createAlterPutAndDrop_inOneTransaction_seeEachOther() {
    SequenceDefinition altered = ORDERS.toBuilder().increment(5).build();
    try (Transaction transaction = database.createTransaction()) {
      long id = sequences.create(transaction, ORDERS);
      sequences.put(transaction, id, value(1));
      sequences.alter(transaction, id, altered);
      assertThat(sequences.catalog()).isEmpty();
      transaction.commit().join();
      assertThat(sequences.catalog()).containsExactly(new CatalogEntry(id, altered));
      assertThat(sequences.getLatest(id)).isEqualTo(value(1));
      try (Transaction dropping = database.createTransaction()) {
        sequences.drop(dropping, id);
        assertThatThrownBy(() -> sequences.put(dropping, id, value(2)))
            .as("dropped by this transaction")
            .isInstanceOf(UnknownSequenceException.class);
        dropping.commit().join();
      }
      assertThatThrownBy(() -> sequences.getLatest(id))
          .isInstanceOf(UnknownSequenceException.class)
          .hasMessage("sequence " + id + " is not one of the sequences of application 'shop'");
      assertThatThrownBy(() -> put(id, 1)).isInstanceOf(UnknownSequenceException.class);
      assertThatThrownBy(() -> sequences.transact(work -> sequences.alter(work, 99, ORDERS)))
          .isInstanceOf(UnknownSequenceException.class);
    }
  }

  @Test
  void errors_ofTheClient_reachTheCallersOwnRetryLoopUnchanged() {
    long id = created();
    simulation.faults().reads(1009);
    assertThatThrownBy(() -> put(id, 1))
        .isInstanceOfSatisfying(
            FDBException.class, failure -> assertThat(failure.getCode()).isEqualTo(1009));
    simulation.faults().reads(1009);
    database.run(
        transaction -> {
          sequences.put(transaction, id, value(1));
          return true;
        });
    assertThat(sequences.getLatest(id)).isEqualTo(value(1));
  }

  @Test
  void transact_whoseCommitFails_saysWhatMayBeConcludedAndRunsTheWorkOnce() {
    long id = created();
    int[] runs = {0};
    simulation.faults().commit(1037, Fate.LOST);
    assertThatThrownBy(() -> sequences.transact(transaction -> count(transaction, id, runs)))
        .isInstanceOf(StorageUnavailableException.class);
    simulation.faults().commit(1021, Fate.APPLIED);
    assertThatThrownBy(() -> sequences.transact(transaction -> count(transaction, id, runs)))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(runs[0]).isEqualTo(2);
    assertThat(sequences.getLatest(id)).isEqualTo(value(2));
  }

  private void count(Transaction transaction, long id, int[] runs) {
    runs[0]++;
    sequences.put(transaction, id, value(runs[0]));
  }

  @Test
  void prune_changesNothing() {
    long id = created();
    put(id, 1).commit().join();
    sequences.prune(id);

    assertThat(sequences.getLatest(id)).isEqualTo(value(1));
  }

  @Test
  @Tag("Q-7")
  void next_withTheCallersTransaction_isDurableWithItsRowAndGoesOnAfterAConflict() {
    try (ISequences<Transaction> opened = Sequences.open(app, "test", Transaction.class)) {
      opened.create(ORDERS);
      ISequence<Transaction> orders = opened.open("orders");
      simulation.faults().commit(1020, Fate.LOST);
      long id =
          database.run(
              transaction -> {
                long drawn = orders.next(transaction);
                transaction.set(rowKey, bytes("row " + drawn));
                return drawn;
              });

      assertThat(id).as("the first attempt's 10 is a gap").isEqualTo(11);
      assertThat(row()).isEqualTo(bytes("row 11"));
    }
    try (ISequences<Transaction> reopened = Sequences.open(app, "next", Transaction.class)) {
      long after = database.run(transaction -> reopened.open("orders").next(transaction));
      assertThat(after).isGreaterThan(11);
    }
  }
}
