package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.FencedException;
import io.tidemark.api.ISequence;
import io.tidemark.api.ISequences;
import io.tidemark.api.InvalidSequenceException;
import io.tidemark.api.OutcomeUnknownException;
import io.tidemark.api.SequenceDefinition;
import io.tidemark.api.SequenceExhaustedException;
import io.tidemark.api.SequenceExistsException;
import io.tidemark.api.StorageUnavailableException;
import io.tidemark.api.UnknownSequenceException;
import io.tidemark.api.VersionedValue;
import io.tidemark.spi.IAppStorage;
import io.tidemark.spi.ISequenceStorage;
import io.tidemark.spi.Layout;
import io.tidemark.storage.memory.MemoryStore;
import io.tidemark.storage.memory.MemoryTransaction;
import io.tidemark.storage.memory.Outcome;
import io.tidemark.storage.memory.StorageCall;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SequencesTest {
  private static final SequenceDefinition ORDERS =
      SequenceDefinition.named("orders").start(10L).max(99L).build();

  private final ManualEnvironment environment = new ManualEnvironment();
  private final MemoryStore store = new MemoryStore();
  private final IAppStorage application = store.open("shop", Layout.of(1));
  private final ISequenceStorage<MemoryTransaction> held = storage();
  private final ISequences<MemoryTransaction> sequences = over(held);

  private ISequences<MemoryTransaction> claim() {
    return over(storage());
  }

  private ISequences<MemoryTransaction> over(ISequenceStorage<MemoryTransaction> storage) {
    return Sequences.over(storage, SequencesConfig.defaults(), environment);
  }

  @SuppressWarnings("unchecked") // the memory store has one type of transaction
  private ISequenceStorage<MemoryTransaction> storage() {
    return (ISequenceStorage<MemoryTransaction>) application.sequences("test");
  }

  private ISequence<MemoryTransaction> orders() {
    sequences.create(ORDERS);
    return sequences.open("orders");
  }

  @Test
  void open_withAnotherTransactionType_namesBoth() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Sequences.open(application, "test", String.class))
        .withMessageContaining("MemoryTransaction")
        .withMessageContaining("java.lang.String");
    try (ISequences<MemoryTransaction> typed =
        Sequences.open(application, "test", MemoryTransaction.class)) {
      assertThat(typed.list()).isEmpty();
    }
  }

  @Test
  void create_ofANameThatIsThere_isRefused() {
    long first = sequences.create(ORDERS);
    assertThatThrownBy(() -> sequences.create(ORDERS))
        .isInstanceOf(SequenceExistsException.class)
        .hasMessage("sequence orders exists already");
    sequences.drop("orders");
    assertThat(sequences.create(ORDERS)).as("a new id").isNotEqualTo(first);
  }

  @Test
  void listAndDescribe_tellTheCatalogByName() {
    sequences.create(SequenceDefinition.named("b").build());
    sequences.create(ORDERS);
    sequences.create(SequenceDefinition.named("a").build());
    assertThat(sequences.list())
        .extracting(SequenceDefinition::name)
        .containsExactly("a", "b", "orders");
    assertThat(sequences.describe("orders")).isEqualTo(ORDERS);
    assertThatThrownBy(() -> sequences.describe("nobody"))
        .isInstanceOf(UnknownSequenceException.class)
        .hasMessageContaining("nobody");
    assertThat(sequences.open("a")).as("one object a name").isSameAs(sequences.open("a"));
  }

  @Test
  void dropped_sequence_isUnknownAlsoToThoseWhoHoldIt() {
    ISequence<MemoryTransaction> orders = orders();
    assertThat(orders.next()).isEqualTo(10);
    sequences.drop("orders");

    assertThatThrownBy(orders::next)
        .isInstanceOf(UnknownSequenceException.class)
        .hasMessage("sequence orders was dropped");
    assertThatThrownBy(orders::nextDurable).isInstanceOf(UnknownSequenceException.class);
    assertThatThrownBy(orders::state).isInstanceOf(UnknownSequenceException.class);
    assertThatThrownBy(() -> orders.set(5, true)).isInstanceOf(UnknownSequenceException.class);
    assertThatThrownBy(() -> sequences.open("orders")).isInstanceOf(UnknownSequenceException.class);
    assertThatThrownBy(() -> sequences.drop("orders")).isInstanceOf(UnknownSequenceException.class);
  }

  @Test
  void drop_thatTheStorageRefuses_leavesTheSequenceAsItWas() {
    ISequence<MemoryTransaction> orders = orders();
    orders.next();
    store.outcomes().script(StorageCall.COMMIT_TRANSACTION, Outcome.REFUSED);
    assertThatThrownBy(() -> sequences.drop("orders"))
        .isInstanceOf(StorageUnavailableException.class);
    assertThat(orders.next()).isEqualTo(11);
  }

  /** A drop that was applied although its caller was not told so. */
  private void dropWithoutKnowing() {
    store.outcomes().script(StorageCall.COMMIT_TRANSACTION, Outcome.UNKNOWN_APPLIED);
    assertThatThrownBy(() -> sequences.drop("orders")).isInstanceOf(OutcomeUnknownException.class);
  }

  @Test
  @Tag("Q-6")
  void create_afterADropThatWasAppliedUnknown_opensTheNewSequence() {
    ISequence<MemoryTransaction> old = orders();
    old.nextDurable();
    dropWithoutKnowing();
    long id = sequences.create(ORDERS);

    ISequence<MemoryTransaction> orders = sequences.open("orders");
    assertThat(orders.id()).isEqualTo(id).isNotEqualTo(old.id());
    assertThat(orders.nextDurable()).isEqualTo(10);
    assertThat(claim().open("orders").next()).as("after a restart").isEqualTo(11);
    assertThatThrownBy(old::next)
        .isInstanceOf(UnknownSequenceException.class)
        .hasMessage("sequence orders was dropped");
  }

  @Test
  void create_whereTheStorageDroppedTheSequenceByItself_forgetsTheOpenOne() {
    ISequence<MemoryTransaction> old = orders();
    dropBehindTheirBack(old.id());
    long id = sequences.create(ORDERS);
    assertThat(sequences.open("orders").id()).isEqualTo(id);
    assertThatThrownBy(old::next).isInstanceOf(UnknownSequenceException.class);
  }

  @Test
  void drop_ofASequenceTheStorageNoLongerHas_endsTheOpenOne() {
    ISequence<MemoryTransaction> old = orders();
    dropBehindTheirBack(old.id());
    assertThatThrownBy(() -> sequences.drop("orders")).isInstanceOf(UnknownSequenceException.class);
    assertThatThrownBy(old::next)
        .isInstanceOf(UnknownSequenceException.class)
        .hasMessage("sequence orders was dropped");
    assertThatThrownBy(() -> sequences.open("orders"))
        .isInstanceOf(UnknownSequenceException.class)
        .hasMessage("there is no sequence orders; create it first");
  }

  @Test
  void open_afterADropThatWasAppliedUnknown_asksTheCatalog() {
    ISequence<MemoryTransaction> old = orders();
    dropWithoutKnowing();
    assertThatThrownBy(() -> sequences.describe("orders"))
        .isInstanceOf(UnknownSequenceException.class);
    assertThatThrownBy(() -> sequences.open("orders")).isInstanceOf(UnknownSequenceException.class);
    assertThatThrownBy(old::next).isInstanceOf(UnknownSequenceException.class);
  }

  @Test
  void open_afterADropThatWasLostUnknown_goesOnWithTheSameObject() {
    ISequence<MemoryTransaction> orders = orders();
    orders.next();
    store.outcomes().script(StorageCall.COMMIT_TRANSACTION, Outcome.UNKNOWN_LOST);
    assertThatThrownBy(() -> sequences.drop("orders")).isInstanceOf(OutcomeUnknownException.class);
    assertThat(sequences.describe("orders")).isEqualTo(ORDERS);
    assertThat(sequences.open("orders")).as("never two that draw").isSameAs(orders);
    assertThat(orders.next()).isEqualTo(11);
    sequences.drop("orders");
    assertThat(sequences.list()).isEmpty();
  }

  private void dropBehindTheirBack(long id) {
    held.transact(transaction -> held.drop(transaction, id));
  }

  @Test
  @Tag("Q-5")
  void secondClaim_fencesDurableDrawsAndThenAllOthers() {
    ISequence<MemoryTransaction> orders = orders();
    sequences.create(SequenceDefinition.named("other").build());
    ISequence<MemoryTransaction> other = sequences.open("other");
    claim();
    assertThat(other.next()).as("nobody knows yet").isEqualTo(1);
    assertThatThrownBy(orders::nextDurable).isInstanceOf(FencedException.class);
    environment.runReady();

    assertThatThrownBy(orders::next).isInstanceOf(FencedException.class);
    assertThatThrownBy(other::next)
        .isInstanceOf(FencedException.class)
        .hasMessageContaining("owner 'test' holds them");
    sequences.close();
  }

  @Test
  void current_followsPostgreSql() {
    ISequence<MemoryTransaction> orders = orders();
    assertThatIllegalStateException().isThrownBy(orders::current).withMessageContaining("orders");
    orders.next();
    orders.set(50, false);
    assertThat(orders.current()).as("set, not called").isEqualTo(10);
    orders.set(50, true);
    assertThat(orders.current()).as("set as called").isEqualTo(50);
    orders.restart();
    assertThat(orders.current()).as("restarted").isEqualTo(50);
    sequences.alter(ORDERS.toBuilder().increment(2).build());
    assertThat(orders.current()).as("altered").isEqualTo(50);
  }

  @Test
  @Tag("Q-4")
  void changes_areDurableOnReturnAndBumpTheVersion() {
    ISequence<MemoryTransaction> orders = orders();
    orders.next();
    orders.set(50, true);
    assertThat(orders.state()).isEqualTo(new VersionedValue(2, 50, true));
    assertThat(storage().getLatest(orders.id())).isEqualTo(new VersionedValue(2, 50, true));
  }

  @Test
  void alter_beforeTheFirstDraw_keepsTheOldStartAcrossACrash() {
    orders();
    sequences.alter(ORDERS.toBuilder().start(30L).build());
    ISequence<MemoryTransaction> recovered = claim().open("orders");
    assertThat(recovered.next()).isEqualTo(10);
    recovered.restart();
    assertThat(recovered.next()).isEqualTo(30);
  }

  @Test
  void alter_toARangeWithoutTheLastNumber_isRefusedAndNamesIt() {
    ISequence<MemoryTransaction> orders = orders();
    orders.next();
    assertThatThrownBy(() -> sequences.alter(ORDERS.toBuilder().start(1L).max(9L).build()))
        .isInstanceOf(InvalidSequenceException.class)
        .hasMessage("restart of sequence orders must be within 1..9, was 10");
    assertThat(orders.definition()).isEqualTo(ORDERS);
    assertThat(orders.next()).isEqualTo(11);
  }

  @Test
  void change_withUnknownOutcome_usesItsVersionUp() {
    ISequence<MemoryTransaction> orders = orders();
    orders.next();
    store.outcomes().script(StorageCall.COMMIT_TRANSACTION, Outcome.UNKNOWN_APPLIED);
    assertThatThrownBy(() -> orders.set(50, true)).isInstanceOf(OutcomeUnknownException.class);
    assertThat(orders.state()).isEqualTo(new VersionedValue(2, 10, true));
    assertThat(orders.nextDurable()).isEqualTo(11);
    assertThat(storage().getLatest(orders.id())).isEqualTo(new VersionedValue(3, 11, true));
  }

  @Test
  void version_atItsEnd_isExhaustedForDrawsAndChanges() {
    long id = orders().id();
    ISequenceStorage<MemoryTransaction> storage = storage();
    storage.transact(
        work -> storage.put(work, id, new VersionedValue(Long.MAX_VALUE - 1, 20, true)));
    ISequences<MemoryTransaction> reopened = claim();
    ISequence<MemoryTransaction> orders = reopened.open("orders");
    assertThat(orders.next()).isEqualTo(21);
    assertThatThrownBy(orders::next)
        .isInstanceOf(SequenceExhaustedException.class)
        .hasMessageContaining("version");
    assertThatThrownBy(orders::restart).isInstanceOf(SequenceExhaustedException.class);
    reopened.close();
  }

  @Test
  void close_registersWhatWasDrawnWithoutATransaction() {
    ISequence<MemoryTransaction> orders = orders();
    orders.next();
    orders.next();
    sequences.close();
    sequences.close();

    assertThatIllegalStateException().isThrownBy(orders::next).withMessageContaining("closed");
    assertThatIllegalStateException().isThrownBy(sequences::list);
    assertThat(claim().open("orders").next()).isEqualTo(12);
  }

  @Test
  void close_whileTheStorageIsDown_returns() {
    ISequence<MemoryTransaction> orders = orders();
    orders.next();
    store.outcomes().always(StorageCall.COMMIT_TRANSACTION, Outcome.REFUSED);
    sequences.close();
    store.outcomes().clear();
    assertThat(claim().open("orders").next()).as("forgotten, as a crash would").isEqualTo(10);
  }

  @Test
  void close_withASequenceThatIsGone_registersTheOthers() {
    ISequence<MemoryTransaction> orders = orders();
    List<String> others = List.of("a", "b", "y", "z");
    others.forEach(name -> sequences.create(SequenceDefinition.named(name).build()));
    orders.next();
    others.forEach(name -> sequences.open(name).next());
    dropWithoutKnowing();
    sequences.close();

    ISequences<MemoryTransaction> reopened = claim();
    assertThat(others).allSatisfy(name -> assertThat(reopened.open(name).next()).isEqualTo(2));
  }

  @Test
  void close_whereOneRegistrationFails_makesTheOthers() {
    List<String> names = List.of("a", "b", "c");
    names.forEach(name -> sequences.create(SequenceDefinition.named(name).build()));
    names.forEach(name -> sequences.open(name).next());
    store.outcomes().script(StorageCall.COMMIT_TRANSACTION, Outcome.REFUSED);
    sequences.close();

    ISequences<MemoryTransaction> reopened = claim();
    assertThat(names)
        .extracting(name -> reopened.open(name).next())
        .as("only the first registration was refused")
        .containsExactlyInAnyOrder(1L, 2L, 2L);
  }

  @Test
  void close_afterADurableDraw_writesNothing() {
    ISequence<MemoryTransaction> orders = orders();
    orders.next();
    orders.nextDurable();
    sequences.close();
    assertThat(storage().getLatest(orders.id())).isEqualTo(new VersionedValue(2, 11, true));
  }

  @Test
  void close_afterNoDraw_writesNothing() {
    orders();
    store.outcomes().always(StorageCall.COMMIT_TRANSACTION, Outcome.REFUSED);
    sequences.close();
    store.outcomes().clear();
    assertThat(storage().getLatest(1).version()).isZero();
  }

  @Test
  void registrations_arePrunedInTheBackgroundAfterEverySoMany() {
    ISequenceStorage<MemoryTransaction> real = storage();
    List<Object> pruned = new ArrayList<>();
    ISequenceStorage<MemoryTransaction> watched = watchingPrune(real, pruned);
    ISequences<MemoryTransaction> three =
        Sequences.over(watched, new SequencesConfig(3), environment);
    long id = three.create(ORDERS);
    ISequence<MemoryTransaction> orders = three.open("orders");
    for (int i = 0; i < 3; i++) {
      orders.nextDurable();
    }
    assertThat(pruned).as("not on the caller's thread").isEmpty();
    environment.runReady();
    assertThat(pruned).containsExactly(id);
    for (int i = 0; i < 2; i++) {
      orders.nextDurable();
    }
    environment.runReady();
    assertThat(pruned).hasSize(1);
    orders.set(50, true);
    environment.runReady();
    assertThat(pruned).containsExactly(id, id);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SequencesConfig(0))
        .withMessage("pruneEvery must be >= 1, was 0");
  }

  @SuppressWarnings("unchecked") // a proxy of that very interface
  private static ISequenceStorage<MemoryTransaction> watchingPrune(
      ISequenceStorage<MemoryTransaction> real, List<Object> pruned) {
    return (ISequenceStorage<MemoryTransaction>)
        Proxy.newProxyInstance(
            ISequenceStorage.class.getClassLoader(),
            new Class<?>[] {ISequenceStorage.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prune")) {
                pruned.add(arguments[0]);
                throw new StorageUnavailableException("pruning may fail");
              }
              method.setAccessible(true);
              return method.invoke(real, arguments);
            });
  }
}
