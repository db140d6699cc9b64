package io.tidemark.storage.memory;

import static io.tidemark.storage.memory.Fixture.APP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.ISequenceStorage.CatalogEntry;
import io.tidemark.spi.Layout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SequencesTest {
  private static final SequenceDefinition ORDERS =
      SequenceDefinition.named("orders").start(10L).build();

  private final MemoryStore store = MemoryStore.builder().untilSync().build();
  private final MemorySequences sequences = open().sequences("test");

  private MemoryAppStorage open() {
    return (MemoryAppStorage) store.open(APP, Layout.of(1));
  }

  private long created() {
    long[] id = new long[1];
    sequences.transact(transaction -> id[0] = sequences.create(transaction, ORDERS));
    return id[0];
  }

  private static VersionedValue value(long version) {
    return new VersionedValue(version, version * 10, true);
  }

  private MemoryTransaction put(long id, long version) {
    MemoryTransaction transaction = store.begin();
    sequences.put(transaction, id, value(version));
    return transaction;
  }

  @Test
  void transactionType_isTheStores() {
    assertThat(sequences.transactionType()).isEqualTo(MemoryTransaction.class);
  }

  @Test
  @Tag("Q-11")
  void getLatest_ofANewSequence_isVersionZeroBeforeItsStart() {
    assertThat(sequences.getLatest(created())).isEqualTo(new VersionedValue(0, 10, false));
  }

  @Test
  @Tag("Q-9")
  @Tag("Q-11")
  void put_isDurableExactlyWhenItsTransactionIs() {
    long id = created();
    MemoryTransaction transaction = put(id, 1);
    assertThat(sequences.getLatest(id).version()).as("not committed").isZero();
    transaction.commit();
    assertThat(transaction.isOpen()).isFalse();
    assertThat(sequences.getLatest(id).version()).as("committed, not durable").isZero();
    store.sync();
    assertThat(sequences.getLatest(id)).isEqualTo(value(1));
  }

  @Test
  @Tag("Q-9")
  void put_committedButLostInACrash_isForgotten() {
    long id = created();
    put(id, 1).commit();
    store.crash();
    store.sync();
    assertThat(sequences.getLatest(id).version()).isZero();
    put(id, 1).commit();
    store.sync();
    store.crash();
    assertThat(sequences.getLatest(id)).isEqualTo(value(1));
  }

  @Test
  @Tag("Q-9")
  void put_rolledBack_hasNoEffect() {
    long id = created();
    MemoryTransaction transaction = put(id, 1);
    transaction.rollback();
    store.sync();

    assertThat(sequences.getLatest(id).version()).isZero();
    assertThatIllegalStateException().isThrownBy(transaction::commit);
  }

  @Test
  @Tag("Q-10")
  void put_ofALowerOrEqualVersion_hasNoEffectAndOverlappingTransactionsCommit() {
    long id = created();
    MemoryTransaction lower = put(id, 1);
    MemoryTransaction higher = put(id, 2);
    higher.commit();
    lower.commit();
    store.sync();
    assertThat(sequences.getLatest(id)).isEqualTo(value(2));

    sequences.transact(
        transaction -> sequences.put(transaction, id, new VersionedValue(2, 999, true)));
    assertThat(sequences.getLatest(id)).isEqualTo(value(2));
  }

  @Test
  @Tag("Q-10")
  void put_isNotDiscardedForAHigherOneThatIsLost() {
    long id = created();
    put(id, 1).commit();
    store.sync();
    put(id, 3).commit();
    store.crash();
    put(id, 2).commit();
    store.sync();

    assertThat(sequences.getLatest(id)).isEqualTo(value(2));
  }

  @Test
  void put_ofVersionZeroOrIntoAFinishedTransaction_isRefused() {
    long id = created();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> put(id, 0))
        .withMessage("version must be >= 1, was 0");
    MemoryTransaction finished = store.begin();
    finished.commit();
    assertThatIllegalStateException()
        .isThrownBy(() -> sequences.put(finished, id, value(1)))
        .withMessageContaining("finished");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sequences.put(new MemoryStore().begin(), id, value(1)))
        .withMessageContaining("another store");
  }

  @Test
  @Tag("Q-8")
  void create_afterRollbackDropOrCrash_neverGivesAnIdAgain() {
    long first = created();
    MemoryTransaction rolledBack = store.begin();
    long second = sequences.create(rolledBack, ORDERS);
    rolledBack.rollback();
    MemoryTransaction lost = store.begin();
    long third = sequences.create(lost, ORDERS);
    lost.commit();
    store.crash();
    sequences.transact(transaction -> sequences.drop(transaction, first));
    long fourth = created();

    assertThat(new long[] {first, second, third, fourth}).doesNotHaveDuplicates();
    assertThat(sequences.catalog()).containsExactly(new CatalogEntry(fourth, ORDERS));
  }

  @Test
  void createAlterAndDrop_areSeenWhenCommitted() {
    SequenceDefinition altered = ORDERS.toBuilder().increment(5).build();
    MemoryTransaction transaction = store.begin();
    long id = sequences.create(transaction, ORDERS);
    sequences.put(transaction, id, value(1));
    sequences.alter(transaction, id, altered);
    assertThat(sequences.catalog()).isEmpty();
    transaction.commit();
    store.sync();

    assertThat(sequences.catalog()).containsExactly(new CatalogEntry(id, altered));
    assertThat(sequences.getLatest(id)).isEqualTo(value(1));
    assertThat(open().sequences("other").catalog()).hasSize(1);
  }

  @Test
  void unknownSequence_isNamed() {
    long dropped = created();
    MemoryTransaction transaction = store.begin();
    sequences.drop(transaction, dropped);
    assertThatThrownBy(() -> sequences.put(transaction, dropped, value(1)))
        .as("dropped by this transaction")
        .isInstanceOf(UnknownSequenceException.class);
    put(dropped, 1).commit();
    transaction.commit();

    assertThatThrownBy(() -> sequences.getLatest(dropped))
        .isInstanceOf(UnknownSequenceException.class)
        .hasMessage("sequence " + dropped + " is not one of the sequences of application 'shop'");
    assertThatThrownBy(() -> put(dropped, 1)).isInstanceOf(UnknownSequenceException.class);
    assertThatThrownBy(() -> sequences.transact(work -> sequences.drop(work, 99)))
        .isInstanceOf(UnknownSequenceException.class);
    assertThatThrownBy(() -> sequences.transact(work -> sequences.alter(work, 99, ORDERS)))
        .isInstanceOf(UnknownSequenceException.class);
  }

  @Test
  void drop_lostInACrash_leavesTheSequenceAndItsValue() {
    long id = created();
    put(id, 4).commit();
    store.sync();
    MemoryTransaction transaction = store.begin();
    sequences.drop(transaction, id);
    transaction.commit();
    store.crash();

    assertThat(sequences.getLatest(id)).isEqualTo(value(4));
  }

  @Test
  @Tag("Q-5")
  void claim_ofTheSequences_fencesTheFirstOwner() {
    long id = created();
    MemoryTransaction open = put(id, 1);
    MemorySequences newer = open().sequences("newer");

    assertThatThrownBy(open::commit)
        .isInstanceOf(FencedException.class)
        .hasMessageContaining("'newer'");
    assertThatThrownBy(() -> put(id, 2)).isInstanceOf(FencedException.class);
    assertThatThrownBy(this::created).isInstanceOf(FencedException.class);
    store.sync();
    assertThat(sequences.getLatest(id).version()).as("nothing of it is durable").isZero();
    newer.transact(transaction -> newer.put(transaction, id, value(3)));
    assertThat(sequences.getLatest(id)).as("reading is free").isEqualTo(value(3));
  }

  @Test
  void transact_whoseWorkThrows_rollsBack() {
    long id = created();
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                sequences.transact(
                    transaction -> {
                      sequences.put(transaction, id, value(1));
                      throw new IllegalStateException("work");
                    }))
        .withMessage("work");
    store.sync();
    assertThat(sequences.getLatest(id).version()).isZero();
  }

  @Test
  void transact_isDurableOnReturn() {
    long id = created();
    sequences.transact(transaction -> sequences.put(transaction, id, value(1)));
    store.crash();
    assertThat(sequences.getLatest(id)).isEqualTo(value(1));
  }

  @Test
  void commit_afterACrash_isLost() {
    long id = created();
    MemoryTransaction transaction = put(id, 1);
    store.crash();

    assertThatThrownBy(transaction::commit).isInstanceOf(StorageUnavailableException.class);
    assertThat(transaction.isOpen()).isFalse();
  }

  @Test
  void commit_scriptedAsUnknown_appliesOnceWhenItArrives() {
    long id = created();
    store.outcomes().script(StorageCall.COMMIT_TRANSACTION, Outcome.UNKNOWN_LATER);
    MemoryTransaction late = put(id, 1);
    assertThatThrownBy(late::commit).isInstanceOf(OutcomeUnknownException.class);
    store.sync();
    assertThat(sequences.getLatest(id).version()).isZero();
    assertThat(store.deliverLate()).isEqualTo(1);
    store.sync();
    assertThat(sequences.getLatest(id)).isEqualTo(value(1));
  }

  @Test
  void commit_deliveredTwice_bringsNothingDroppedBack() {
    store.outcomes().script(StorageCall.COMMIT_TRANSACTION, Outcome.DUPLICATED);
    long id = created();
    sequences.transact(transaction -> sequences.drop(transaction, id));
    store.deliverLate();

    assertThat(sequences.catalog()).isEmpty();
  }
}
